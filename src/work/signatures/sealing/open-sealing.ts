import type { Logger } from 'pino';
import type { Typesetter } from '../../../platform/typesetting/typesetter.ts';
import { TypesettingError, type Manuscript } from '../../../platform/typesetting/typesetter.ts';
import type { Limits } from '../../../platform/reading/sandbox.ts';
import { hashOf } from '../hash.ts';
import { drawingError } from './drawing.ts';
import { certificateOf, sheetsOf } from './certificate-pages.ts';
import type { Layer } from './messages.ts';
import type { Timestamp, Timestamps } from './timestamps.ts';
import {
  type FilledField,
  SealFailed,
  type Sealing,
  type SealLevel,
  type SealOrder,
  type SealSigner,
  type SealStep,
  Unsealable,
} from './pdf-sealer.ts';
import type { CollectValidationData } from './validation-data.ts';
import { certificateWords } from './words/index.ts';
import { usual, workOnFile } from './work.ts';

export type SealingParts = {
  typesetter: Pick<Typesetter, 'typeset'>;
  /** Returns the current signer. Called for each seal. */
  signer: () => Promise<SealSigner>;
  /** The timestamp authority, if configured. */
  timestamps?: Timestamps | undefined;
  /** Collects validation data. Requires a timestamp authority, because the data proves nothing without a confirmed time. */
  proofs?: CollectValidationData | undefined;
  /** Name of the sealing organization on the certificate. */
  sealedBy: string;
  log?: Pick<Logger, 'warn'>;
  limits?: Limits;
};

/** Bytes reserved for the signature message. It has two or three certificates, and with a timestamp also those of the timestamp authority. */
const room = { usual: 6 * 1024, stamped: 20 * 1024 };
const field = 'Seal';

export const openSealing = (parts: SealingParts): Sealing => new FileSealing(parts);

/** Seals documents. Separate processes work on the files, and the key stays in this process. */
class FileSealing implements Sealing {
  readonly #parts: SealingParts;

  constructor(parts: SealingParts) {
    this.#parts = parts;
  }

  async prepare(...[open, { fields }, signal]: Parameters<Sealing['prepare']>): ReturnType<Sealing['prepare']> {
    const { response, file } = await workOnFile({ work: 'prepare', fields }, [await open()], this.#options(signal));
    if (response.done !== 'prepare') throw new Error('The process returned an unexpected response.');
    const { pages, findings, manner } = response;
    // The trial detects content that would hide a field before the signer fills it in.
    const ticked = fields.map((place): FilledField => ({ ...place, kind: 'checkbox', value: { checked: true } }));
    if (ticked.length > 0) {
      const { sheets, layer } = await this.#laidOver({ presented: file, fields: ticked, pages }, signal);
      await workOnFile({ work: 'try', ...layer }, [file, ...sheets], this.#drawing(layer, signal));
    }
    return { presented: file, sha256: hashOf('sha256', [file]).toString('hex'), pages, findings, manner };
  }

  async seal(order: SealOrder, signal?: AbortSignal): ReturnType<Sealing['seal']> {
    refuseOrder(order);
    const { signer, timestamps } = this.#parts;
    // The ASN.1 modules need 10 MB of memory, so they are loaded with the first seal.
    const { signDetached } = await import('./signed-message.ts');
    const { check } = await import('./self-check.ts');
    const by = await during('sign', signer);
    const { file, contents } = await this.#composed(order, signal);
    const end = contents.at + contents.length;
    const { signature, message } = await during('sign', () => signDetached([file.subarray(0, contents.at), file.subarray(end)], by));
    const stamp = timestamps && (await during('timestamp', () => timestamps(signature, signal)));
    const hex = message(stamp?.token).toString('hex');
    if (hex.length > contents.length - 2)
      throw new SealFailed('sign', `The signature message has ${hex.length / 2} bytes, more than reserved.`);
    file.write(hex, contents.at + 1, 'latin1');
    const whole = stamp ? await this.#proven(file, by, stamp, signal) : file;
    await during('verify', async () => check(whole, file.length, order));
    const level: SealLevel = stamp ? (whole.length > file.length ? 'B-LT' : 'B-T') : 'B-B';
    const sha256 = hashOf('sha256', [whole]).toString('hex');
    return { sealed: whole, sha256, level, ...(stamp ? { timestampedAt: stamp.time } : {}) };
  }

  #options(signal: AbortSignal | undefined) {
    const { limits } = this.#parts;
    return { signal, ...(limits ? { limits } : {}) };
  }

  async #set(manuscript: Manuscript, signal: AbortSignal | undefined): Promise<Uint8Array> {
    return (await this.#parts.typesetter.typeset(manuscript, signal)).pdf;
  }

  /** Typesets overlay pages with the field values. */
  async #laidOver(
    order: Pick<SealOrder, 'presented' | 'fields' | 'pages'>,
    signal: AbortSignal | undefined,
  ): Promise<{ sheets: Uint8Array[]; layer: Layer }> {
    const { manuscripts, overlays, places } = sheetsOf(order);
    const sheets = await Promise.all(manuscripts.map((manuscript) => this.#set(manuscript, signal)));
    return { sheets, layer: { overlays, places, pages: order.pages } };
  }

  /** Returns higher limits for each page with fields, because the process renders each of them. */
  #drawing({ overlays }: Layer, signal: AbortSignal | undefined) {
    const { cpuSeconds, wallSeconds, ...most } = this.#parts.limits ?? usual;
    return { signal, limits: { ...most, cpuSeconds: cpuSeconds + overlays.length / 4, wallSeconds: wallSeconds + overlays.length / 4 } };
  }

  async #composed(order: SealOrder, signal: AbortSignal | undefined): Promise<{ file: Buffer; contents: { at: number; length: number } }> {
    const certificate = await during('certificate', () =>
      this.#set(certificateOf(order, this.#parts.sealedBy, hashOf('sha256', [order.presented]).toString('hex')), signal),
    );
    const { sheets, layer } = await during('certificate', () => this.#laidOver(order, signal));
    const files = order.manner === 'append' ? [order.presented, certificate, ...sheets] : [certificate, Buffer.alloc(0)];
    const seal = {
      name: this.#parts.sealedBy,
      reason: certificateWords(order.evidence.language).reason,
      field,
      time: new Date().toISOString(),
    };
    const request = { work: 'compose', ...layer, seal, room: this.#parts.timestamps ? room.stamped : room.usual } as const;
    const { response, file } = await during('compose', () => workOnFile(request, files, this.#drawing(layer, signal)));
    if (response.done !== 'compose') throw new SealFailed('compose', 'The process returned an unexpected response.');
    return { file, contents: response.contents };
  }

  /**
   * Adds the validation data for the certificates of the signature and its timestamp. If the data is unavailable, the seal gets a lower level, and
   * the document does not wait for a revocation list. The timestamp still confirms the time.
   */
  async #proven(file: Buffer, by: SealSigner, stamp: Timestamp, signal: AbortSignal | undefined): Promise<Buffer> {
    const proof = await this.#parts.proofs?.([by.certificate, ...by.chain], stamp.token).catch((error: unknown) => {
      this.#parts.log?.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'Validation data is unavailable; the document is sealed without it',
      );
      return undefined;
    });
    if (!proof) return file;
    const { certificates, lists, answers } = proof;
    return during('validation', async () => {
      const message = { work: 'validation', certificates: certificates.length, lists: lists.length, answers: answers.length } as const;
      return (await workOnFile(message, [file, ...certificates, ...lists, ...answers], this.#options(signal))).file;
    });
  }
}

function refuseOrder({ fields, pages, manner }: SealOrder): void {
  if (manner === 'separate' && fields.length > 0)
    throw new Unsealable('fields_not_possible', 'A document that is already signed cannot have fields.');
  for (const { page, value } of fields) {
    const error = 'png' in value ? drawingError(value.png) : undefined;
    if (error !== undefined) throw new Unsealable('broken', error);
    if (!pages[page - 1]) throw new Unsealable('field_outside_page', `The file has no page ${page}.`);
  }
}

/** Runs a step and wraps its errors in {@link SealFailed}. Errors that a retry cannot fix, and aborts, pass unchanged. */
async function during<Result>(step: SealStep, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unsealable || error instanceof SealFailed || (error instanceof Error && error.name === 'AbortError')) throw error;
    const reason =
      error instanceof TypesettingError ? `${error.reason}: ${error.message}` : error instanceof Error ? error.message : String(error);
    throw new SealFailed(step, reason, { cause: error });
  }
}
