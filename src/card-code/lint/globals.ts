// The globals of the guest. A test compares the list with the guest itself.

const list = (text: string): string[] => text.trim().split(/\s+/)

/** The globals of card code; `arguments` and `this` are not among them. */
export const globals: ReadonlySet<string> = new Set(
  list(`
  Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError Array Object Function
  Iterator parseInt parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape
  unescape Infinity NaN undefined eval Number Boolean String Math Reflect Symbol globalThis BigInt Date RegExp JSON
  Proxy Map Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8ClampedArray Int8Array Uint8Array Int16Array
  Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array Float32Array Float64Array DataView
  Promise WeakRef FinalizationRegistry crypto performance setTimeout setInterval setImmediate clearTimeout
  clearInterval clearImmediate queueMicrotask CustomEvent Event EventTarget AbortSignal AbortController DOMException Buffer
  TextEncoder TextDecoder atob btoa URL URLSearchParams Intl console structuredClone fetch Headers Request Response
  investec helpers global moment process
`),
)
