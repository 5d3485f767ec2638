// The engine's memory with the prelude evaluated, as the build stores it. Evaluating the prelude takes a quarter of a
// second; copying its memory takes a millisecond or two. Every run starts from this copy, so no run sees what another
// one left.
import { createHash } from 'node:crypto'

// The engine's static data lie below the first bound, its stack between the two, its heap above the second.
const dataEnd = 128 * 1024
const heapStart = 5 * 1024 * 1024

/** The addresses of what the host refers to: they must be the same wherever the image is loaded. */
export interface ImageAddresses {
  /** Made before the prelude, in a fixed order: runtime, context, global object, bridge. */
  before: number[]
  /** The entries of the prelude. */
  begin: number
  start: number
  deliver: number
  fail: number
}

/** An image, shared by all threads. */
export interface Image {
  addresses: ImageAddresses
  data: Uint8Array
  heap: Uint8Array
}

/** Copies the engine's memory: static data and heap, without the stack and the zeros at the end. */
export const takeImage = (memory: Uint8Array, addresses: ImageAddresses): Image => {
  let heapEnd = memory.length
  while (heapEnd > heapStart && memory[heapEnd - 1] === 0) heapEnd -= 1
  return { addresses, data: memory.slice(0, dataEnd), heap: memory.slice(heapStart, heapEnd) }
}

/** An image that no other thread shares. */
export const ownCopy = (image: Image): Image => ({
  ...image,
  data: image.data.slice(),
  heap: image.heap.slice(),
})

/** Writes an image into the memory of an engine that has allocated no more than the image holds. */
export const restoreImage = ({ data, heap }: Image, memory: Uint8Array): void => {
  memory.set(data, 0)
  memory.set(heap, heapStart)
}

/** Throws when the engine lays out its memory differently: the image would then miss parts of it. */
export const assertLayout = (memory: Uint8Array): void => {
  if (memory.subarray(dataEnd, heapStart).some((byte) => byte !== 0))
    throw new Error('The engine keeps its memory in a way that is not known here.')
}

/** The head of the file of an image. */
interface ImageHead {
  addresses: ImageAddresses
  dataBytes: number
  /** SHA-256 of the data and the heap, and of the engine that they belong to. */
  image: string
  engine: string
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The file of an image: the length of a JSON head as four bytes, the head, the data, the heap. It is not compressed:
 * unpacking takes longer than reading, and the package is compressed as a whole.
 */
export const imageFile = ({ addresses, data, heap }: Image, engine: Uint8Array): Uint8Array => {
  const bytes = Buffer.concat([data, heap])
  const content: ImageHead = {
    addresses,
    dataBytes: data.length,
    image: digestOf(bytes),
    engine: digestOf(engine),
  }
  const head = Buffer.from(JSON.stringify(content))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, bytes])
}

/**
 * Reads the file of an image. The bytes lie in shared memory, so that threads need no copy of their own. Throws when it
 * is not the image of this engine, byte for byte: code that runs in a damaged engine would decide wrongly, in silence.
 */
export const parseImage = (file: Uint8Array, engine: Uint8Array): Image => {
  const { head, bytes } = readHead(file)
  if (digestOf(engine) !== head.engine) throw damaged('engine.wasm')
  if (digestOf(bytes) !== head.image) throw damaged('prelude.image')
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
  shared.set(bytes)
  return {
    addresses: head.addresses,
    data: shared.subarray(0, head.dataBytes),
    heap: shared.subarray(head.dataBytes),
  }
}

const damaged = (name: string): Error =>
  new Error(`card code cannot run: ${name} of this package is damaged; install the package again`)

function readHead(file: Uint8Array): { head: ImageHead; bytes: Uint8Array } {
  try {
    const headEnd = 4 + new DataView(file.buffer, file.byteOffset).getUint32(0, true)
    const head = JSON.parse(new TextDecoder().decode(file.subarray(4, headEnd))) as ImageHead
    return { head, bytes: file.subarray(headEnd) }
  } catch {
    throw damaged('prelude.image')
  }
}
