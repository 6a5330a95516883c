/** Counters for Prometheus. Their labels are fixed words, so their number does not grow. */
export class Meters {
  #counts = new Map()
  #seconds = 0
  #checks = 0

  count(name, label = '') {
    const key = `checktoken_adapter_${name}_total${label}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  took(milliseconds) {
    this.#seconds += milliseconds / 1000
    this.#checks += 1
  }

  /** @returns the text format */
  toString() {
    const lines = [...this.#counts].sort().map(([key, value]) => `${key} ${value}`)
    const names = new Set(lines.map((line) => line.split(/[ {]/)[0]))
    return [
      ...[...names].flatMap((name) => [`# TYPE ${name} counter`, ...lines.filter((line) => line.split(/[ {]/)[0] === name)]),
      '# TYPE checktoken_adapter_check_seconds summary',
      `checktoken_adapter_check_seconds_sum ${this.#seconds.toFixed(6)}`,
      `checktoken_adapter_check_seconds_count ${this.#checks}`,
      '# TYPE checktoken_adapter_resident_memory_bytes gauge',
      `checktoken_adapter_resident_memory_bytes ${process.memoryUsage.rss()}`,
      '',
    ].join('\n')
  }
}
