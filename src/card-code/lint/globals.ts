// What the world of card code has, and what of Node.js it lacks. A test holds both against the world itself.

const list = (text: string): string[] => text.trim().split(/\s+/)

/** The globals of card code; `arguments` and `this` are no names of it. */
export const globals: ReadonlySet<string> = new Set(
  list(`
  Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError Array Object Function
  Iterator parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape
  unescape Infinity NaN undefined eval Number Boolean String Math Reflect Symbol globalThis BigInt Date RegExp JSON
  Proxy Map Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8ClampedArray Int8Array Uint8Array Int16Array
  Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array DataView
  Promise WeakRef FinalizationRegistry crypto performance setTimeout setInterval setImmediate clearTimeout
  clearInterval clearImmediate queueMicrotask Event EventTarget AbortSignal AbortController DOMException Buffer
  TextEncoder TextDecoder atob btoa URL URLSearchParams Intl console structuredClone fetch Headers Request Response
  investec helpers global moment process
`),
)

/** Members that Node.js has and card code lacks: reading them gives undefined, calling them throws. */
export const lacking: ReadonlySet<string> = new Set(
  list(`
  Buffer.copyBytesFrom URL.parse URL.createObjectURL URL.revokeObjectURL Intl.Locale console.clear
  process.exit process.cwd process.argv process.nextTick process.hrtime process.uptime process.version
  process.versions process.platform process.pid process.memoryUsage process.stdout process.stderr process.stdin
  process.on process.emitWarning
`),
)
