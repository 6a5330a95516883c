import { spawn } from 'node:child_process'
import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Starts a forward proxy that knows CONNECT only, and connects each caller to the platform, whichever host is named.
 * @returns its address, `names` (the hosts that callers named), `authorizations` and `close`
 */
export async function startProxy(platformPort, host = '127.0.0.1') {
  const [names, authorizations, sockets] = [[], [], new Set()]
  const proxy = http.createServer((_, response) => response.writeHead(405).end())
  proxy.on('connection', (socket) => sockets.add(socket))
  proxy.on('connect', (request, socket) => {
    names.push(request.url)
    authorizations.push(request.headers['proxy-authorization'])
    const onward = net.connect(platformPort, host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    for (const one of [socket, onward]) one.on('error', () => [socket, onward].forEach((other) => other.destroy()))
  })
  await new Promise((resolve) => proxy.listen(0, host, resolve))
  const close = () => (proxy.close(), sockets.forEach((socket) => socket.destroy()))
  return { address: `http://${host}:${proxy.address().port}`, names, authorizations, close }
}

/**
 * Makes an address of this machine that swallows connections, as a filtered one does: its queue is full, and nobody reads
 * it. On Linux.
 * @returns what closes it
 */
export async function startDeadAddress(port, host = '127.0.0.2') {
  const program = `require('node:net').createServer().listen({ port: ${port}, host: '${host}', backlog: 1 }, () => console.log('up'))`
  const holder = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve, reject) => holder.stdout.once('data', resolve) && holder.once('exit', reject))
  holder.kill('SIGSTOP')
  const waiting = Array.from({ length: 8 }, () => net.connect(port, host).on('error', () => {}))
  await sleep(100)
  return () => (waiting.forEach((socket) => socket.destroy()), holder.kill('SIGKILL'))
}
