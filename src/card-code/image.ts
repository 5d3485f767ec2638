// The engine's memory with the prelude evaluated, as the build stores it. Evaluating the prelude takes a quarter of a
// second; copying its memory takes a millisecond or two. Every run starts from this copy, so no run sees what another
// one left.
import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompress } from 'node:zlib'

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

/** The file of an image, compressed: the length of a JSON head as four bytes, the head, the data, the heap. */
export const imageFile = ({ addresses, data, heap }: Image): Uint8Array => {
  const head = Buffer.from(JSON.stringify({ addresses, dataBytes: data.length }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return brotliCompressSync(Buffer.concat([length, head, data, heap]))
}

/** Reads the file of an image. The bytes lie in shared memory, so that threads need no copy of their own. */
export const parseImage = async (compressed: Uint8Array): Promise<Image> => {
  const file = await promisify(brotliDecompress)(compressed)
  const shared = new Uint8Array(new SharedArrayBuffer(file.length))
  shared.set(file)
  const headEnd = 4 + new DataView(file.buffer, file.byteOffset).getUint32(0, true)
  const head = JSON.parse(new TextDecoder().decode(file.subarray(4, headEnd))) as {
    addresses: ImageAddresses
    dataBytes: number
  }
  const heapAt = headEnd + head.dataBytes
  return {
    addresses: head.addresses,
    data: shared.subarray(headEnd, heapAt),
    heap: shared.subarray(heapAt),
  }
}
