import type { EvidenceSigner, Evidence, FilledField } from '../sealing/index.ts';
import type { EvidenceRow, FieldRow } from './queries.ts';
import type { SignerRow } from './signer-queries.ts';

/**
 * Returns the text or image that is drawn for a field. Returns undefined if the field is empty or the signer has not signed. A date is a day in the
 * time zone of the team.
 */
export function valueOf(field: Pick<FieldRow, 'id' | 'kind'>, signer: SignerRow, zone: string): FilledField['value'] | undefined {
  if (signer.status !== 'signed') return undefined;
  switch (field.kind) {
    case 'signature':
      return signer.mark_png === null ? { text: signer.mark_text ?? signer.typed_name ?? signer.name } : { png: signer.mark_png };
    case 'initials':
      return { text: asText(signer.filled?.[field.id]) ?? initialsOf(signer.typed_name ?? signer.name) };
    case 'name':
      return { text: signer.typed_name ?? signer.name };
    case 'date':
      return { text: dayIn(zone, signer.signed_at) };
    case 'checkbox':
      return { checked: signer.filled?.[field.id] === true };
    default: {
      const text = asText(signer.filled?.[field.id]);
      return text === undefined ? undefined : { text };
    }
  }
}

const dayIn = (zone: string, at: string | null): string =>
  at === null ? '' : Temporal.Instant.fromEpochMilliseconds(Date.parse(at)).toZonedDateTimeISO(zone).toPlainDate().toString();

const asText = (value: string | boolean | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Returns the first letters of the words of a name, at most eight. */
export const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => Array.from(part)[0] ?? '')
    .join('')
    .slice(0, 8);

/** Returns the fields of a request with the values of their signers. */
export function filledFields({
  signers,
  fields,
  zone,
}: {
  signers: readonly SignerRow[];
  fields: readonly FieldRow[];
  zone: string;
}): FilledField[] {
  const by = new Map(signers.map((signer) => [signer.id, signer]));
  return fields.flatMap((field) => {
    const signer = by.get(field.signer_id);
    const value = signer && valueOf(field, signer, zone);
    if (!value) return [];
    const { kind, page, x, y, width, height } = field;
    return [{ kind, page, x, y, width, height, value }];
  });
}

/** Field kinds that show who signed. */
const kindsOfMark: ReadonlySet<string> = new Set(['signature', 'initials', 'name']);

/** Returns the signers for the certificate page. */
export function signersOfEvidence(
  signers: readonly SignerRow[],
  fields: readonly FieldRow[],
  acts: readonly EvidenceRow[],
): EvidenceSigner[] {
  return signers.flatMap((signer) => {
    const proof = acts.findLast(({ act, signer_id: id }) => act === 'signed' && id === signer.id);
    if (!proof || signer.role === 'copy') return [];
    return [
      {
        name: signer.name,
        ...(signer.typed_name === null || signer.typed_name === signer.name ? {} : { typedName: signer.typed_name }),
        email: signer.email,
        role: signer.role,
        known: signer.known ?? 'link',
        how: signer.mark_kind ?? 'confirmed',
        signedAt: new Date(signer.signed_at ?? proof.at),
        consentLanguage: signer.locale,
        hasField: fields.some(({ signer_id: id, kind }) => id === signer.id && kindsOfMark.has(kind)),
        evidenceSha256: proof.sha256,
        ...(signer.delegated_name === null ? {} : { delegatedBy: signer.delegated_name }),
      },
    ];
  });
}

/** Returns the history for the certificate page, in chronological order. */
export function historyOf(signers: readonly SignerRow[], acts: readonly EvidenceRow[]): Evidence['history'] {
  const names = new Map(signers.map(({ id, name }) => [id, name]));
  return acts.flatMap(({ act, signer_id: id, at }) => {
    if (act === 'declined') return [];
    const name = names.get(id);
    return [{ at: new Date(at), act, ...(name === undefined ? {} : { name }) }];
  });
}
