import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const room = 8_192;

/** A signer with a certificate of a test authority, created by OpenSSL in a folder. */
export type Signer = { folder: string; name: string };

/** Arguments of `openssl req` for an authority. Without this usage, some programs do not accept its revocation lists. */
export const authorityUsage = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign'];

/** Creates the authority `name`, which issues a certificate to a person of that name. `extensions` are lines that OpenSSL adds to the certificate. */
export async function makeSigner(
  folder: string,
  name: string,
  key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  extensions: readonly string[] = [],
): Promise<Signer> {
  const at = (suffix: string) => join(folder, `${name}${suffix}`);
  const usual = ['-nodes', '-sha256'];
  await run('openssl', [
    'req',
    '-x509',
    ...key,
    ...usual,
    '-keyout',
    at('-ca.key'),
    '-out',
    at('-ca.pem'),
    '-days',
    '3650',
    '-subj',
    `/CN=${name} Authority`,
    ...authorityUsage,
  ]);
  await run('openssl', ['req', ...key, ...usual, '-keyout', at('.key'), '-out', at('.csr'), '-subj', `/O=Harbour/CN=${name}`]);
  await writeFile(
    at('.ext'),
    [
      'basicConstraints=CA:FALSE',
      'keyUsage=digitalSignature,nonRepudiation',
      'extendedKeyUsage=emailProtection,1.3.6.1.5.5.7.3.36',
      ...extensions,
      '',
    ].join('\n'),
  );
  const issue = ['x509', '-req', '-in', at('.csr'), '-CA', at('-ca.pem'), '-CAkey', at('-ca.key'), '-CAcreateserial', '-sha256'];
  await run('openssl', [...issue, '-days', '365', '-extfile', at('.ext'), '-out', at('.pem')]);
  return { folder, name };
}

/** Appends objects to a PDF as an incremental update. They can replace existing objects. Object 1 is the catalog, as in {@link plainPdf}. */
export function append(pdf: Buffer, objects: Readonly<Record<number, string>>): Buffer {
  const text = pdf.toString('latin1');
  const previous = text.slice(text.lastIndexOf('startxref') + 10).split('\n')[0];
  const size = Math.max(sizeOf(pdf), ...Object.keys(objects).map((number) => Number(number) + 1));
  let body = '';
  let table = 'xref\n';
  for (const [number, object] of Object.entries(objects)) {
    table += `${number} 1\n${String(pdf.length + body.length).padStart(10, '0')} 00000 n \n`;
    body += `${number} 0 obj\n${object}\nendobj\n`;
  }
  const end = `${table}trailer<</Size ${size}/Root 1 0 R/Prev ${previous}>>\nstartxref\n${pdf.length + body.length}\n%%EOF\n`;
  return Buffer.concat([pdf, Buffer.from(body + end, 'latin1')]);
}

/** Returns the next free object number. */
function sizeOf(pdf: Buffer): number {
  const text = pdf.toString('latin1');
  return Number(/\/Size (\d+)/.exec(text.slice(text.lastIndexOf('trailer')))?.[1]);
}

/** Signs a PDF of {@link plainPdf} with a signature over the complete file. `more` are arguments of `openssl cms`. */
export async function sign(pdf: Buffer, { folder, name }: Signer, more: readonly string[] = ['-cades', '-md', 'sha256']): Promise<Buffer> {
  const next = sizeOf(pdf);
  const empty = `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached/M(D:20260310090000+01'00')/ByteRange[0 0000000000 0000000000 0000000000]/Contents<${'0'.repeat(room)}>>>`;
  const page = /4 0 obj\n(<<.*>>)\nendobj/.exec(pdf.toString('latin1'))?.[1] ?? '';
  const prepared = append(pdf, {
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</SigFlags 3/Fields[${next + 1} 0 R]>>>>`,
    4: page.replace('<</Type/Page/', `<</Type/Page/Annots[${next + 1} 0 R]/`),
    [next]: empty,
    [next + 1]: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature)/Rect[0 0 0 0]/F 132/P 4 0 R/V ${next} 0 R>>`,
  });
  const before = prepared.indexOf('/Contents<', pdf.length) + '/Contents'.length;
  const after = before + room + 2;
  const range = [before, after, prepared.length - after].map((n) => String(n).padStart(10, '0')).join(' ');
  prepared.write(`[0 ${range}]`, prepared.indexOf('[0 0000000000', pdf.length), 'latin1');
  const [input, output] = [join(folder, 'in.bin'), join(folder, 'out.der')];
  await writeFile(input, Buffer.concat([prepared.subarray(0, before), prepared.subarray(after)]));
  const with_ = ['-signer', join(folder, `${name}.pem`), '-inkey', join(folder, `${name}.key`), '-outform', 'DER'];
  await run('openssl', ['cms', '-sign', '-binary', ...with_, ...more, '-in', input, '-out', output]);
  prepared.write((await readFile(output)).toString('hex'), before + 1, 'latin1');
  return prepared;
}
