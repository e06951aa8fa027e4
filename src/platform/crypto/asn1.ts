import { type AsnType, Constructed, fromBER } from 'asn1js';

/** The pkijs class of an ASN.1 type. */
type AsnClass<Value> = { readonly CLASS_NAME: string; new (parameters: { schema: AsnType }): Value };

/** Limit of parsed elements. An element needs up to 1 KiB of memory; 10 000 elements take about 100 ms. */
const maxNodes = 10_000;

/** Thrown for bytes that are not a value of the type or not in the required encoding. */
export class AsnError extends Error {}

/** Reads a value in DER (ITU-T X.690, clause 10). Throws {@link AsnError} if the value is not DER or if bytes follow it. */
export function readDer<Value>(type: AsnClass<Value>, bytes: Uint8Array, most = maxNodes): Value {
  const { block, length } = parse(bytes, most);
  if (length !== bytes.length || !isDistinguished(block)) throw new AsnError(`The ${type.CLASS_NAME} is not DER.`);
  return read(type, block);
}

/** Reads a value in BER. Padding or other bytes can follow it. Throws {@link AsnError}. */
export function readBer<Value>(type: AsnClass<Value>, bytes: Uint8Array): Value {
  return read(type, parse(bytes, maxNodes).block);
}

/** Converts a parsed part of another value. Throws {@link AsnError}. */
export function read<Value>(type: AsnClass<Value>, block: AsnType | undefined): Value {
  try {
    if (block) return new type({ schema: block });
  } catch {
    // The error of pkijs names only the type.
  }
  throw new AsnError(`The value is not a ${type.CLASS_NAME}.`);
}

/** Writes a value in DER. Sets must already be sorted, see {@link inSetOrder}. */
export function writeDer(value: { toBER(): ArrayBuffer } | { toSchema(): { toBER(): ArrayBuffer } }): Buffer {
  return Buffer.from(('toSchema' in value ? value.toSchema() : value).toBER());
}

/** Sorts the members of a set by their bytes, as DER requires. */
export function inSetOrder<Value extends Parameters<typeof writeDer>[0]>(members: readonly Value[]): Value[] {
  return members.toSorted((one, other) => Buffer.compare(writeDer(one), writeDer(other)));
}

function parse(bytes: Uint8Array, most: number): { block: AsnType; length: number } {
  try {
    const { offset, result } = fromBER(new Uint8Array(bytes), { maxNodes: most });
    if (offset !== -1 && isWhole(result)) return { block: result, length: offset };
  } catch {
    // For example, an invalid time.
  }
  throw new AsnError('The bytes are not ASN.1, or have too many elements.');
}

/** Whether the parts of each value fill it. asn1js also reads parts beyond the end of their value. */
function isWhole(block: AsnType): boolean {
  if (!(block instanceof Constructed)) return true;
  const { value: parts } = block.valueBlock;
  const { length, isIndefiniteForm } = block.lenBlock;
  return (isIndefiniteForm || length === parts.reduce((sum, part) => sum + part.blockLength, 0)) && parts.every(isWhole);
}

/** Whether each length is in its shortest definite form, and each string is in one piece. */
function isDistinguished(block: AsnType): boolean {
  const { lenBlock, idBlock } = block;
  const { length, blockLength } = lenBlock;
  const shortest = length < 0x80 ? 1 : 1 + Math.ceil(Math.log2(length + 1) / 8);
  if (lenBlock.isIndefiniteForm || blockLength !== shortest) return false;
  const isString = idBlock.tagClass === 1 && idBlock.tagNumber !== 16 && idBlock.tagNumber !== 17;
  if (isString && idBlock.isConstructed) return false;
  return !(block instanceof Constructed) || block.valueBlock.value.every(isDistinguished);
}
