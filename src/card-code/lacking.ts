// Members of Node that card code lacks, and what to use instead: errors name it at run time, the lint before.

const each = (names: string, instead: string): [string, string][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, instead])

/** Globals of Node that card code lacks, with what to use instead. */
export const lackingGlobals: ReadonlyMap<string, string> = new Map([
  ...each('Blob File', 'use Buffer'),
  ...each('FormData', 'use URLSearchParams, or build the body as text'),
  ...each(
    `ReadableStream WritableStream TransformStream TextEncoderStream TextDecoderStream CompressionStream
    DecompressionStream ByteLengthQueuingStrategy CountQueuingStrategy`,
    'read a response with `for await (const chunk of response.body)`',
  ),
  ...each('WebSocket CloseEvent', 'use fetch'),
  ...each('MessageChannel MessagePort MessageEvent BroadcastChannel', 'use EventTarget'),
  ...each('Atomics WebAssembly', 'write it in JavaScript'),
  ...each('Crypto CryptoKey SubtleCrypto', 'use crypto.subtle'),
  ...each('Performance PerformanceObserver PerformanceEntry PerformanceMark', 'use performance.now()'),
  ...each('URLPattern', 'use a regular expression'),
  ...each('Float16Array', 'use Float32Array'),
  ...each('navigator Navigator', 'nothing of the machine is within reach'),
  ...each('SuppressedError DisposableStack AsyncDisposableStack', 'use try and finally'),
])

const nothingOfMachine = 'of `process` card code has `env` and `nextTick` alone'

/** Members of Node's objects that card code lacks, by their path, with what to use instead. */
export const lackingMembers: ReadonlyMap<string, string> = new Map([
  ...each('Buffer.copyBytesFrom', 'use Buffer.from(view.buffer, offset, length)'),
  ...each('URL.createObjectURL URL.revokeObjectURL', 'there are no blobs'),
  ...each('Intl.Locale Intl.DurationFormat', 'use Intl.getCanonicalLocales or Intl.NumberFormat'),
  ...each('console.clear console.timeStamp console.profile', 'logs of an execution only grow'),
  ...each('JSON.rawJSON JSON.isRawJSON', 'write the number as text'),
  ...each('Math.f16round', 'use Math.fround'),
  ...each(
    `process.exit process.cwd process.argv process.hrtime process.uptime process.version process.versions
    process.platform process.pid process.memoryUsage process.cpuUsage process.stdout process.stderr process.stdin
    process.on process.once process.emit process.emitWarning process.kill process.abort process.arch process.release
    process.title process.umask process.chdir`,
    nothingOfMachine,
  ),
])

/** What an error adds when its name is one of them; empty otherwise. */
export const lackNote = (path: string, known: ReadonlyMap<string, string>): string => {
  const instead = known.get(path)
  return instead === undefined ? '' : ` (Node has it, the sandbox's card code does not: ${instead})`
}
