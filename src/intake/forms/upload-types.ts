import { nearestName } from '../../platform/http/known-members.ts';
import type { FieldError } from '../../platform/problems.ts';
import { includesType, knownTypes } from '../../platform/storage/file-kind.ts';
import { refuse, usualUploads } from './definition.ts';
import type { Definition } from './schemas.ts';

/** Common aliases of media types. */
const otherNames: Readonly<Record<string, string>> = {
  'application/csv': 'text/csv',
  'application/x-pdf': 'application/pdf',
  'application/x-pkcs7-mime': 'application/pkcs7-mime',
  'application/x-pkcs7-signature': 'application/pkcs7-signature',
  'application/x-zip-compressed': 'application/zip',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'image/jpg': 'image/jpeg',
  'text/json': 'application/json',
  'text/rtf': 'application/rtf',
  'text/xml': 'application/xml',
  'video/x-msvideo': 'video/vnd.avi',
};

/**
 * Rejects media types that no upload can have. Rejected are types that Chancery cannot detect from the content, and types of a field that the form
 * does not accept. Throws 422 `interface_invalid`.
 */
export async function requireUploadTypes({ fields, config }: Definition): Promise<void> {
  const { accept: byForm = usualUploads.accept } = config.uploads ?? {};
  const lists = [
    { pointer: '/config/uploads/accept', types: byForm },
    ...fields.map(({ type, validation }, at) => ({
      pointer: `/fields/${at}/validation/accept`,
      types: type === 'file' ? (validation?.accept ?? []) : [],
    })),
  ];
  if (lists.every(({ types }) => types.every((type) => usualUploads.accept.includes(type) && byForm.includes(type)))) return;
  const known = [...(await knownTypes())];
  const ofForm = known.filter((type) => includesType(byForm, type));
  const reasons = new Map<string, string | undefined>();
  const errors: FieldError[] = [];
  for (const { pointer, types } of lists) {
    for (const [at, type] of types.entries()) {
      if (!reasons.has(type)) reasons.set(type, reasonAgainst(type, known, ofForm));
      const reason = reasons.get(type);
      if (reason !== undefined) errors.push({ name: 'accept', pointer: `${pointer}/${at}`, reason, rule: 'accept' });
      if (errors.length >= maxErrors) refuse(errors);
    }
  }
  refuse(errors);
}

/** Maximum number of errors. It limits the comparisons with known types, which suggestions need. */
const maxErrors = 10;

function reasonAgainst(type: string, known: readonly string[], ofForm: readonly string[]): string | undefined {
  if (ofForm.some((one) => includesType([type], one))) return undefined;
  if (known.some((one) => includesType([type], one))) return 'is missing in `config.uploads.accept` of the form: add it there';
  const meant = otherNames[type.toLowerCase()] ?? nearestName(type, known);
  return `is not a type that Chancery can detect from the content of a file: ${meant === undefined ? 'choose another, or a family such as `image/*`' : `use \`${meant}\``}`;
}
