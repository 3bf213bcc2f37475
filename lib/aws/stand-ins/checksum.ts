import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/** In place of the SDK's checksums: the one that signing takes, from Node. */
export class Sha256 {
  readonly digestLength = 32;
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | Uint8Array) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  }

  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return new Uint8Array(this.#hash.digest());
  }
}
