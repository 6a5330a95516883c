// By hand, because libraries refuse to make most wrong answers.
import {
  constants, createCipheriv, createHash, createHmac, createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync,
  pbkdf2Sync, publicEncrypt, randomBytes, sign as signBytes,
} from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { publicKey } from './kit.js'

export const base64url = (data) => Buffer.from(data).toString('base64url')

export function signature(input, alg, jwk) {
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  if (alg === 'ES256') return signBytes('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  if (alg === 'PS256') {
    return signBytes('sha256', Buffer.from(input), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
  }
  return signBytes('sha256', Buffer.from(input), key)
}

export function hmacWithPublicKey(input, jwk) {
  const secret = createPublicKey({ key: publicKey(jwk), format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  return createHmac('sha256', secret).update(input).digest()
}

const CEK_BYTES = { A128GCM: 16, A256GCM: 32, 'A128CBC-HS256': 32 }

/** @returns the five parts of a JWE; `change` may change the header before it is encrypted */
export function encrypt(plaintext, header, jwk, { secret, change = (found) => found } = {}) {
  const { cek, encrypted, more } = contentKey(header, jwk, secret)
  const protectedHeader = base64url(JSON.stringify(change({ ...header, ...more })))
  const content = header.zip ? deflateRawSync(plaintext) : Buffer.from(plaintext)
  const { iv, ciphertext, tag } = encryptContent(content, header.enc, cek, Buffer.from(protectedHeader))
  return [protectedHeader, ...[encrypted, iv, ciphertext, tag].map(base64url)]
}

function contentKey({ alg, enc }, jwk, secret) {
  const random = randomBytes(CEK_BYTES[enc])
  if (alg === 'dir') return { cek: createHash('sha256').update(secret).digest(), encrypted: '' }
  if (alg.startsWith('PBES2')) {
    const salt = randomBytes(16)
    const password = pbkdf2Sync(secret, Buffer.concat([Buffer.from(`${alg}\0`), salt]), 1000, 16, 'sha256')
    return { cek: random, encrypted: wrap(random, password), more: { p2s: base64url(salt), p2c: 1000 } }
  }
  const key = createPublicKey({ key: publicKey(jwk), format: 'jwk' })
  if (alg === 'RSA1_5') return { cek: random, encrypted: publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, random) }
  if (alg.startsWith('RSA')) {
    return { cek: random, encrypted: publicEncrypt({ key, oaepHash: alg === 'RSA-OAEP' ? 'sha1' : 'sha256' }, random) }
  }
  const ephemeral = generateKeyPairSync('ec', { namedCurve: jwk.crv })
  const agreed = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: key })
  const more = { epk: ephemeral.publicKey.export({ format: 'jwk' }) }
  if (alg === 'ECDH-ES') return { cek: concatKdf(agreed, enc, CEK_BYTES[enc]), encrypted: '', more }
  return { cek: random, encrypted: wrap(random, concatKdf(agreed, alg, 32)), more }
}

function wrap(cek, key) {
  const cipher = createCipheriv(`id-aes${key.length * 8}-wrap`, key, Buffer.alloc(8, 0xa6))
  return Buffer.concat([cipher.update(cek), cipher.final()])
}

/** RFC 7518, section 4.6.2, for keys of up to 256 bits. */
function concatKdf(agreed, algorithm, bytes) {
  const number = (value) => Buffer.from([0, 0, value >> 8, value & 255])
  const info = [number(algorithm.length), Buffer.from(algorithm), number(0), number(0), number(bytes * 8)]
  return createHash('sha256').update(Buffer.concat([number(1), agreed, ...info])).digest().subarray(0, bytes)
}

function encryptContent(content, enc, cek, aad) {
  if (enc.endsWith('GCM')) {
    const iv = randomBytes(12)
    const cipher = createCipheriv(`aes-${cek.length * 8}-gcm`, cek, iv).setAAD(aad)
    const ciphertext = Buffer.concat([cipher.update(content), cipher.final()])
    return { iv, ciphertext, tag: cipher.getAuthTag() }
  }
  const iv = randomBytes(16)
  const cipher = createCipheriv('aes-128-cbc', cek.subarray(16), iv)
  const ciphertext = Buffer.concat([cipher.update(content), cipher.final()])
  const length = Buffer.alloc(8)
  length.writeUInt32BE(aad.length * 8, 4)
  const mac = createHmac('sha256', cek.subarray(0, 16)).update(Buffer.concat([aad, iv, ciphertext, length]))
  return { iv, ciphertext, tag: mac.digest().subarray(0, 16) }
}
