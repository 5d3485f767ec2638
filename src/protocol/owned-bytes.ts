// Bytes whose memory is freed as soon as they are read: a state is up to 256 MB.

/** The bytes of a large body, over a buffer that can be resized and that nobody else holds. */
export class OwnedBytes extends Uint8Array<ArrayBuffer> {
  /** Frees their memory; they cannot be read any more. */
  release(): void {
    this.buffer.resize(0)
  }
}
