/** The kind of a file, from its bytes. `extension` is the usual extension of its type. */
export type FileKind = {
  mediaType: string;
  extension: string;
  /** Whether a file of this type is also text, like most mails. */
  isText?: true;
};

/*
 * Kinds of files that the library for file kinds does not know: mail, and signed and encrypted data. Also the compound
 * files of older Office programs and of Outlook messages.
 */

const mail: FileKind = { mediaType: 'message/rfc822', extension: 'eml' };
const cryptographicMessage: FileKind = { mediaType: 'application/pkcs7-mime', extension: 'p7m' };
const detachedSignature: FileKind = { mediaType: 'application/pkcs7-signature', extension: 'p7s' };
const certificates: FileKind = { mediaType: 'application/pkcs7-mime', extension: 'p7c' };
const message: FileKind = { mediaType: 'application/vnd.ms-outlook', extension: 'msg' };
const word: FileKind = { mediaType: 'application/msword', extension: 'doc' };
const sheet: FileKind = { mediaType: 'application/vnd.ms-excel', extension: 'xls' };
const slides: FileKind = { mediaType: 'application/vnd.ms-powerpoint', extension: 'ppt' };

export const ownKinds = [mail, cryptographicMessage, detachedSignature, message, word, sheet, slides];

const headerName = /^([!-9;-~]{1,76}):/;
const namesOfMail = ['date', 'message-id', 'received', 'mime-version'];

/** Returns the mail kind if the sample begins with header fields (RFC 5322), including `From` and another field that mail programs add. */
export function mailKind(sample: Buffer): FileKind | undefined {
  const [head = ''] = sample
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split(/\r?\n\r?\n/, 1);
  const lines = head.split(/\r?\n/);
  // The sample can end inside a line.
  if (head.length === sample.length) lines.pop();
  const names = new Set<string>();
  for (const line of lines) {
    if (/^[ \t]/.test(line) && names.size > 0) continue;
    const name = headerName.exec(line)?.[1];
    if (name === undefined) return undefined;
    names.add(name.toLowerCase());
  }
  return names.has('from') && namesOfMail.some((name) => names.has(name)) ? mail : undefined;
}

const pemLabel = /^-----BEGIN (?:PKCS7|CMS)-----/;

/** Returns the kind of a message of the Cryptographic Message Syntax (RFC 5652) in DER, BER, PEM or plain base64. */
export function cryptographicKind(sample: Buffer): FileKind | undefined {
  if (sample[0] === 0x30) return messageKind(sample);
  const text = sample.toString('latin1').trim();
  const base64 = text.replace(pemLabel, '').replace(/-----END[^\n]*$/, '');
  const isBase64 = (pemLabel.test(text) || text.startsWith('MI')) && /^[A-Za-z0-9+/=\s]+$/.test(base64);
  return isBase64 ? messageKind(Buffer.from(base64, 'base64')) : undefined;
}

const signed = Buffer.from('06092a864886f70d010702', 'hex');
const otherContents = ['06092a864886f70d010703', '060b2a864886f70d0109100117', '060b2a864886f70d0109100109'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

type Header = { tag: number; from: number; length: number | undefined };

function headerAt(bytes: Buffer, at: number): Header {
  const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
  const count = first & 0x7f;
  if (first < 0x80) return { tag, from: at + 2, length: first };
  // In BER, the end of the content can determine the length.
  if (count === 0 || count > 6 || at + 2 + count > bytes.length) return { tag, from: at + 2, length: undefined };
  return { tag, from: at + 2 + count, length: bytes.readUIntBE(at + 2, count) };
}

function messageKind(bytes: Buffer): FileKind | undefined {
  const { tag, from } = headerAt(bytes, 0);
  const begins = (oid: Buffer) => bytes.subarray(from, from + oid.length).equals(oid);
  if (tag !== 0x30) return undefined;
  if (otherContents.some(begins)) return cryptographicMessage;
  if (!begins(signed)) return undefined;
  const content = headerAt(bytes, from + signed.length);
  const data = headerAt(bytes, content.from);
  const version = headerAt(bytes, data.from);
  const digests = headerAt(bytes, version.from + (version.length ?? 0));
  if (content.tag !== 0xa0 || data.tag !== 0x30 || version.tag !== 0x02 || digests.tag !== 0x31) return undefined;
  if (digests.length === undefined) return cryptographicMessage;
  // A list of certificates has no signer.
  if (digests.length === 0) return certificates;
  const encapsulated = headerAt(bytes, digests.from + digests.length);
  const type = headerAt(bytes, encapsulated.from);
  const end = type.from + (type.length ?? 0);
  const isEmpty = encapsulated.length === undefined ? bytes[end] !== 0xa0 : encapsulated.from + encapsulated.length === end;
  return isEmpty ? detachedSignature : cryptographicMessage;
}

const kindsByClass = new Map([
  ['0b0d020000000000c000000000000046', message],
  ['0609020000000000c000000000000046', word],
  ['0009020000000000c000000000000046', word],
  ['2008020000000000c000000000000046', sheet],
  ['1008020000000000c000000000000046', sheet],
  ['108d81649b4fcf1186ea00aa00b929e8', slides],
]);
const kindsByEntry = new Map([
  ['__properties_version1.0', message],
  ['__nameid_version1.0', message],
  ['WordDocument', word],
  ['Workbook', sheet],
  ['Book', sheet],
  ['PowerPoint Document', slides],
]);
const entryBytes = 128;

/**
 * Returns the kind of a compound file (MS-CFB) from the class of its root, or from the entries in the first sector of
 * its directory. `read` returns the bytes between two offsets, or fewer at the end of the file.
 */
export async function compoundKind(read: (from: number, to: number) => Promise<Buffer>): Promise<FileKind | undefined> {
  const header = await read(0, 512);
  if (header.length < 512) return undefined;
  const sector = header.readUInt16LE(30) === 12 ? 4096 : 512;
  const from = (header.readUInt32LE(48) + 1) * sector;
  const directory = await read(from, from + sector);
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
    const entry = directory.subarray(at, at + entryBytes);
    const name = entry.toString('utf16le', 0, Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2));
    const kind = at === 0 ? kindsByClass.get(entry.toString('hex', 80, 96)) : kindsByEntry.get(name);
    if (kind) return kind;
  }
  return undefined;
}
