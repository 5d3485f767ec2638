// Which parts of a call are secret, and how the rest is shown: the journal, its HAR export and the request log all
// use this module. Clients misspell and misplace their secrets, so a pattern judges names, not a list.

/** Replaces a secret. */
const mask = '***'

const secretParts = [
  // `authorizationApproved`, `authoriserAId` and `authPeriodId` are about people who authorise payments.
  'auth(?!or|period|enticat(?:e$|ed))|authori[sz]ation(?:header|code|value)?$',
  // `token_type` and `token_expires` describe a token.
  'token(?!type|expir|endpoint)',
  'pass(?:word|wd|phrase|code)|(?<!by|com)pass$',
  // `cardKey` is the number of a card in the API.
  '^key$|(?:api|access|private|subscription)key',
  'cookie|secret|pwd|credential|signature|^sig\\d*$|jwt|bearer|^x?session(?:id)?$',
  // Assertions sign a client in (RFC 7521); `shipping` and `mapping` hold no PIN.
  'assertion(?!type)|hmac|cv[vc]2?$|cv[vc]2?code|onetimep(?:in|ass)',
  '^(?:card|client|current|my|new|old|user|x)?pin(?:code|number)?$',
  '^(?:card|client|my|sms|user|x)?otp(?:code|value)?$',
]
const secret = new RegExp(secretParts.join('|'))
/** Headers with these names hold no secret: the authentication challenge, and the pages that may call. */
const openHeader = /^(?:www-authenticate|proxy-authenticate|access-control-.*)$/i

/** Whether a header, parameter, field or member with this name probably holds a secret, in any spelling. */
export function isSecretName(name: string): boolean {
  const plain = decoded(name).toLowerCase()
  return secret.test(plain.replace(/[^a-z0-9]/g, ''))
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  }
}

/** The value of a query parameter. */
export const shownParameter = (name: string, value: string): string =>
  isSecretName(name) ? mask : shownAddress(value)

/** A path or an address, with the secrets of its query and fragment masked. */
export function shownAddress(address: string, depth = 0): string {
  if (depth > maxDepth) return mask
  const mark = address.search(/[?#]/)
  if (mark < 0) return shownPath(address)
  return (
    shownPath(address.slice(0, mark)) + address.charAt(mark) + shownFields(address.slice(mark + 1), depth)
  )
}

/** The address that card code called, without user, password and fragment. Throws when it is not an address. */
export function keptAddress(address: string): string {
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') {
    url.username = ''
    url.password = ''
  }
  url.hash = ''
  // For a service that card code calls, `code` may be an OAuth authorization code.
  return shownAddress(url.href).replace(/([?&]code=)[^&#]*/gi, `$1${mask}`)
}

/** How deep addresses within addresses are read. */
const maxDepth = 5

/** A path: masks its parameters, as in `/path;token=x`, and API keys. */
const shownPath = (path: string): string =>
  path
    .replace(/;([^=;/]+)=([^;/]*)/g, (whole, name: string) =>
      isSecretName(name) ? `;${name}=${mask}` : whole,
    )
    .replace(/(\/api-keys\/+)[^/]+/gi, `$1${mask}`)
    .replace(userinfo, `//${mask}@`)

/** User and password before the host of an address. */
const userinfo = /\/\/[^/?#\s"@]*@/g

// Each pattern starts only where a name can start; otherwise it would be tried at every letter of a long text. It
// matches fields of a form or a query. A value may be an address with its own query, plain or encoded.
/** Fields as in a form or a query; a value may be an address that has a query of its own, written out or encoded. */
const shownFields = (fields: string, depth = 0): string =>
  fields.replace(/(?<![^=&?#;])([^=&?#;]*)=([^&#;]*)/g, (whole, name: string, value: string) => {
    if (isSecretName(name)) return `${name}=${mask}`
    if (value === '') return whole
    if (!/%3[fd]/i.test(value)) return `${name}=${shownAddress(value, depth + 1)}`
    const plain = decoded(value)
    return shownAddress(plain, depth + 1) === plain ? whole : `${name}=${mask}`
  })

/** Schemes that are shown: people want to see whether a client sends Basic or Bearer. */
const scheme = /^\s*(basic|bearer|digest|negotiate)\s/i

/** The value of a header. */
export function shownHeader(name: string, value: string): string {
  if (openHeader.test(name)) return value
  // The value alone shows that it is an Authorization header, however the name is spelled.
  if (scheme.test(value) && !isSecretName(name)) return `${scheme.exec(value)![1]!} ${mask}`
  if (!isSecretName(name)) return shownAddress(value)
  return /authorization$/i.test(name) ? `${scheme.exec(value)?.[1] ?? ''} ${mask}`.trim() : mask
}

/** A body, as JSON or as a form; it may be cut anywhere. */
export function shownBody(body: string): string {
  if (/^\s*[[{"]/.test(body)) return isJson(body) ? shownJson(body) : shownLoosely(shownJson(body))
  return shownLoosely(shownFields(body.includes('"') ? shownJson(body) : body))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return !text.includes('\\"')
  } catch {
    return false
  }
}

/**
 * Text that is neither JSON nor a form, or JSON within a string: masks everything that looks like a name and its
 * value.
 */
const shownLoosely = (text: string): string =>
  text
    .replace(
      /(?<![\w.-])([\w.-]+)(\\*["']?\s*[:=]\s*\\*["']?)([^"'\\\s,;&{}[\]<>]+)/g,
      (whole, name: string, sign: string) => (isSecretName(name) ? `${name}${sign}${mask}` : whole),
    )
    .replace(/<([\w.-]+)>([^<]+)(?=<\/)/g, (whole, name: string) =>
      isSecretName(name) ? `<${name}>${mask}` : whole,
    )
    // A part of multipart/form-data: its name, other headers, an empty line, its value.
    .replace(
      /(name="([^"\r\n]{0,200})"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,5}\r?\n\r?\n)([^\r\n]+)/g,
      (whole, head: string, name: string) => (isSecretName(name) ? head + mask : whole),
    )

/** Strings (names with their colon), brackets, and everything else; the last string may have no end. */
const tokens = /"((?:[^"\\]|\\.?)*)(?:"|$)(\s*:)?|[{}[\],]|[^\s"{}[\],:]+/gs

/**
 * Scans the text instead of parsing it, so that a body that is cut or broken keeps its spelling but no secret. For
 * `variables`, which card code reads as its environment, only the names are shown.
 */
function shownJson(text: string): string {
  /** For each open bracket: whether everything inside is secret. */
  const open: boolean[] = []
  let name: string | undefined
  return text.replace(tokens, (token, string?: string, colon?: string) => {
    if (colon !== undefined) {
      name = unescaped(string!)
      return token
    }
    const isInside = open.at(-1) === true
    const isNamed = name !== undefined && isSecretName(name)
    const isVariables = token === '{' && name?.toLowerCase() === 'variables'
    name = undefined
    if (token === '{' || token === '[') open.push(isInside || isNamed || isVariables)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',') return token
    else if (isInside || (isNamed && !/^(?:true|false|null)$/.test(token))) return `"${mask}"`
    else if (string !== undefined) return shownText(token)
    return token
  })
}

function unescaped(name: string): string {
  try {
    return JSON.parse(`"${name}"`) as string
  } catch {
    return name
  }
}

/** A text inside a body, such as the address of the request in `links.self`. */
const shownText = (text: string): string =>
  text
    .replace(/([?&#])([^=&?#\s"]+)=([^&#\s"]*)/g, (whole, before: string, name: string) =>
      isSecretName(name) ? `${before}${name}=${mask}` : whole,
    )
    .replace(userinfo, `//${mask}@`)
