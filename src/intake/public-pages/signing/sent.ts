import type { Signing } from '#signatures';
import type { Problem } from '../../../platform/problems.ts';
import type { Draft } from './sign-view.ts';
import type { SigningWords } from './words/index.ts';

type SentValues = ReadonlyMap<string, string>;

/** Converts the sent form to a signature. `drawing` is a PNG in base64, or empty. */
export function signatureSent(sent: SentValues, signing: Signing, drawing: string) {
  const own = signing.fields.filter((field) => field.own && ['text', 'checkbox', 'initials'].includes(field.kind));
  const entries = own.flatMap(({ id, kind }): [string, string | boolean][] => {
    const value = sent.get(`field.${id}`) ?? '';
    if (kind === 'checkbox') return [[id, value === 'yes']];
    return value.trim() === '' ? [] : [[id, value]];
  });
  const name = (sent.get('name') ?? '').trim();
  return {
    consent: sent.get('consent') === 'yes',
    name,
    signature: drawing === '' ? { kind: 'typed' as const, data: name } : { kind: 'drawn' as const, data: drawing },
    fields: Object.fromEntries(entries),
    consentId: sent.get('consentId') ?? '',
    locale: sent.get('consentLocale') ?? '',
    documentsSha256: (sent.get('documentsSha256') ?? '').split(' '),
    stateSha256: sent.get('stateSha256') ?? '',
  };
}

/** Returns the missing values before signing, by form field. */
export function errorsOf(sent: SentValues, signing: Signing, { errorTexts }: SigningWords): Map<string, string> {
  const found = new Map<string, string>();
  if (sent.get('consent') !== 'yes') found.set('consent', errorTexts.consent);
  if ((sent.get('name') ?? '').trim() === '') found.set('name', errorTexts.name);
  for (const { id, kind, own, required } of signing.fields) {
    const value = (sent.get(`field.${id}`) ?? '').trim();
    if (!own || !required || value !== '') continue;
    if (kind === 'text') found.set(`field.${id}`, errorTexts.required);
    if (kind === 'checkbox') found.set(`field.${id}`, errorTexts.tick);
  }
  return found;
}

/** Returns the sent form with the errors of a problem; undefined if the problem is not about the form. */
export function refusedDraft({ code, errors = [] }: Problem, sent: SentValues, words: SigningWords): Draft | undefined {
  const { errorTexts } = words;
  const draft = (entries: readonly (readonly [string, string])[], notice?: string): Draft => ({
    values: sent,
    errors: new Map(entries),
    ...(notice === undefined ? {} : { notice }),
  });
  if (code === 'consent_required') return draft([['consent', errorTexts.consent]]);
  if (code === 'signature_image_invalid') return draft([['drawing', errorTexts.drawing]]);
  if (code === 'fields_invalid')
    return draft(errors.map(({ name, rule }) => [`field.${name}`, rule === 'maxLength' ? errorTexts.reason : errorTexts.field] as const));
  if (code === 'name_invalid' || code === 'validation_failed') return draft([['name', errorTexts.name]]);
  if (code === 'consent_changed' || code === 'document_changed_meanwhile') return draft([], words.changed);
  return undefined;
}
