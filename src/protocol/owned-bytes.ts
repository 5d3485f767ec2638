// Bytes whose memory is given back as soon as they are read: a state is up to 256 MB.

/** The bytes of a large body, over a buffer that can be resized and that nobody else holds. */
export class OwnedBytes extends Uint8Array<ArrayBuffer> {
  /** Gives their memory back; nothing is left of them. */
  release(): void {
    this.buffer.resize(0)
  }
}
