import { readFileSync } from 'node:fs'
import { LineCounter, parseDocument } from 'yaml'

const DUPLICATE = 'DUPLICATE_KEY'

/** A YAML file that knows the line of each value, and collects all errors instead of stopping at the first one. */
export class Document {
  #lines = new LineCounter()
  #parsed
  #errors = []

  constructor(path) {
    this.path = path
    this.#parsed = parseDocument(readFileSync(path, 'utf8'), { lineCounter: this.#lines, prettyErrors: false })
    const { errors } = this.#parsed
    for (const { pos, code, message } of errors) {
      const text = code === DUPLICATE ? 'the same name is there twice' : message
      this.#errors.push({ line: this.#lines.linePos(pos[0]).line, text })
    }
    /** Undefined if the file is not YAML. */
    this.value = errors.every(({ code }) => code === DUPLICATE) ? this.#parsed.toJS() ?? {} : undefined
  }

  /** All that is wrong, in the order of the file, each with file and line. */
  get errors() {
    return this.#errors.toSorted((a, b) => a.line - b.line).map(({ line, text }) => `${this.path}:${line}: ${text}`)
  }

  /** @param place the names and numbers that lead to the value */
  error(place, text) {
    this.#errors.push({ line: this.line(place), text })
  }

  /** @returns the line of the name of a setting, or of an item of a list; if it is not there, of what it would be in */
  line(place) {
    const parent = this.#parsed.getIn(place.slice(0, -1), true)
    const at = parent?.items?.find(({ key }) => key && String(key.value) === String(place.at(-1)))?.key
      ?? this.#parsed.getIn(place, true)
    return at?.range || place.length === 0 ? this.#lines.linePos(at?.range[0] ?? 0).line : this.line(place.slice(0, -1))
  }
}

/** @returns a question if one of the names differs from the given one in two letters at most */
export function guess(name, names) {
  const near = names.map((other) => [distance(String(name), other), other]).sort(([a], [b]) => a - b)[0]
  return near?.[0] <= 2 ? `. Is ${near[1]} meant?` : ''
}

/** The number of letters to insert, delete or replace (Levenshtein). */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]
}
