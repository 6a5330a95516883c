import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Adapter } from '../src/adapter.js'
import { settings } from '../src/settings.js'
import { key, kit, startPlatform } from '../../testkit/mock-node/platform.js'

const GATEWAYS = new URL('../gateways/', import.meta.url).pathname
const APACHE = '/usr/lib/apache2/modules'
const token = (name) => kit.cases.find((found) => found.name === name).token
const PERSON = 'da87b1dd-54c8-3aa4-a0cc-b72de7154af6'

async function freePort() {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The gateway's configuration as it is published, with ports that are free. */
function configuration(file, { folder, ports }) {
  const text = readFileSync(join(GATEWAYS, file), 'utf8')
  return text.replaceAll('8095', ports.adapter).replaceAll('8080', ports.gateway).replaceAll('8081', ports.api)
    .replaceAll('/etc/checktoken', folder).replaceAll('nginx.js', file === 'nginx.conf' ? join(folder, 'nginx.js') : 'nginx.js')
}

function certificate(folder) {
  const [cert, privateKey] = ['adapter.pem', 'adapter.key'].map((name) => join(folder, name))
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', privateKey, '-out', cert]
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...names, ...kind], { stdio: 'ignore' })
  return { LISTEN_TLS_CERT_FILE: cert, LISTEN_TLS_KEY_FILE: privateKey }
}

function apache(module, file, tls = false) {
  return {
    tls,
    needs: [`${APACHE}/mod_${module}.so`, '/usr/sbin/apache2'],
    command(setup) {
      const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'proxy', 'proxy_http', 'headers']
      const loads = modules.map((name) => `LoadModule ${name}_module ${APACHE}/mod_${name}.so`)
      const main = `
        ServerRoot ${setup.folder}
        ServerName localhost
        Listen 127.0.0.1:${setup.ports.gateway}
        PidFile ${setup.folder}/pid
        ErrorLog ${setup.folder}/error.log
        ${loads.join('\n')}
        LoadModule ${module}_module ${APACHE}/mod_${module}.so
        ${configuration(file, setup)}
        RequestHeader set X-Sub expr=%{REMOTE_USER}
        ProxyPass /income http://127.0.0.1:${setup.ports.api}/income
      `
      writeFileSync(join(setup.folder, 'main.conf'), main)
      return ['/usr/sbin/apache2', '-D', 'FOREGROUND', '-f', join(setup.folder, 'main.conf')]
    },
  }
}

const nginx = {
  needs: ['/usr/sbin/nginx', '/usr/lib/nginx/modules/ngx_http_js_module.so'],
  command(setup) {
    copyFileSync(join(GATEWAYS, 'nginx.js'), join(setup.folder, 'nginx.js'))
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${setup.folder}/${name};`)
    const main = `
      load_module /usr/lib/nginx/modules/ngx_http_js_module.so;
      daemon off; master_process off; pid ${setup.folder}/pid; error_log ${setup.folder}/error.log;
      events {}
      http { access_log off; ${paths.join(' ')} ${configuration('nginx.conf', setup)} }
    `
    writeFileSync(join(setup.folder, 'main.conf'), main)
    return ['/usr/sbin/nginx', '-c', join(setup.folder, 'main.conf'), '-e', `${setup.folder}/error.log`]
  },
}

const haproxy = {
  needs: ['/usr/sbin/haproxy'],
  command(setup) {
    for (const file of ['haproxy.cfg', 'haproxy.lua']) writeFileSync(join(setup.folder, file), configuration(file, setup))
    return ['/usr/sbin/haproxy', '-db', '-f', join(setup.folder, 'haproxy.cfg')]
  },
}

const spring = {
  needs: ['/usr/bin/mvn', '/usr/bin/java'],
  command(setup) {
    const folder = join(setup.folder, 'spring')
    cpSync(join(GATEWAYS, 'spring'), folder, { recursive: true })
    const settings = 'src/main/resources/application.properties'
    writeFileSync(join(folder, settings), configuration(`spring/${settings}`, setup))
    execFileSync('/usr/bin/mvn', ['-q', '-B', '-ntp', 'package'], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
    const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
    return ['/usr/bin/java', ...quick, '-jar', join(folder, 'target', 'income.jar'), '--spring.main.banner-mode=off', '--logging.level.root=warn']
  },
}

const gateways = {
  mod_auth_openidc: { ...apache('auth_openidc', 'mod_auth_openidc.conf', true), stopped: 401 },
  mod_oauth2: { ...apache('oauth2', 'mod_oauth2.conf'), stopped: 401 },
  nginx: { ...nginx, stopped: 503 },
  haproxy: { ...haproxy, stopped: 503 },
  spring: { ...spring, stopped: 503 },
}

for (const [name, gateway] of Object.entries(gateways)) {
  const missing = gateway.needs.find((file) => !existsSync(file))
  test(`${name} lets in a person with the scope, and nobody else`, { skip: missing && `${missing} is not installed` }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-'))
    const file = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name))
    const platform = await startPlatform()
    const [{ client_id: CLIENT_ID, client_secret }] = kit.clients
    const ports = { gateway: await freePort(), adapter: await freePort() }
    const adapter = new Adapter(settings({
      REALM: platform.realm,
      CLIENT_ID,
      CLIENT_SECRET_FILE: file('secret', client_secret),
      PRIVATE_KEYS: file('key.json', JSON.stringify({ ...key('data-provider-RSA'), alg: 'RSA-OAEP-256' })),
      CALLERS_FILE: file('callers', 'gateway:gateway-secret-for-tests'),
      // The recipes check cnf themselves.
      BOUND_TOKENS: 'pass',
      ...(gateway.tls && certificate(folder)),
    }))
    await adapter.listen({ host: '127.0.0.1', port: ports.adapter })
    const api = http.createServer((request, response) => {
      const told = JSON.stringify(request.headers).includes('Moreau') ? ', whose identity the gateway told' : ''
      response.end(`income of ${request.headers['x-sub']}${told}`)
    })
    await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve))
    ports.api = api.address().port
    const [program, ...parameters] = gateway.command({ folder, ports })
    const process = spawn(program, parameters, { stdio: 'inherit' })
    t.after(async () => {
      process.kill()
      api.close()
      api.closeAllConnections()
      platform.close()
      await adapter.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const get = async (token) => {
      const response = await fetch(`http://127.0.0.1:${ports.gateway}/income`, token && { headers: { authorization: `Bearer ${token}` } })
      return [response.status, response.status === 200 ? await response.text() : undefined]
    }
    for (let tries = 0; (await get().catch(() => [0]))[0] === 0; tries++) {
      const log = join(folder, 'error.log')
      assert.ok(tries < 300 && process.exitCode === null, `exit ${process.exitCode} ${existsSync(log) && readFileSync(log, 'utf8')}`)
      await sleep(300)
    }

    assert.deepEqual(await get(token('active')), [200, `income of ${PERSON}`])
    assert.deepEqual(await get(token('active-several-scopes')), [200, `income of ${PERSON}`])
    // Otherwise a token that is revoked would go on working. mod_oauth2 counts whole seconds.
    const { calls } = platform.counts
    await sleep(1_100)
    assert.deepEqual(await get(token('active')), [200, `income of ${PERSON}`])
    assert.equal(platform.counts.calls, calls + 1)
    assert.equal((await get())[0], 401)
    const refused = ['inactive', token('inactive'), token('active-no-scope'), token('machine'), token('bound-to-a-key'), token('bound-to-a-certificate'), token('bound-in-an-unknown-way')]
    for (const asked of refused) assert.ok([401, 403].includes((await get(asked))[0]), asked)
    const wrong = kit.cases.filter(({ reason, http: sent, client = CLIENT_ID }) => reason && client === CLIENT_ID && !sent)
    for (const { token } of wrong.filter((_, i) => i % 5 === 0)) assert.ok((await get(token))[0] >= 400, token)
    platform.close()
    assert.equal((await get(token('active')))[0], gateway.stopped)
  })
}
