import type { paths } from '@chancery/client';
import { useEffect, useState } from 'react';
import { endOfDay } from '../../parts/day.ts';
import type { FieldArea } from './geometry.ts';

type RequestBody = paths['/api/v1/signatures/']['post']['requestBody']['content']['application/json'];
type SignerBody = RequestBody['signers'][number];
type FieldBody = NonNullable<SignerBody['fields']>[number];
export type FieldKind = FieldBody['kind'];
export type SignerRole = NonNullable<SignerBody['role']>;

/** The kinds of fields, in the order of the palette. */
export const fieldKinds = ['signature', 'initials', 'name', 'date', 'text', 'checkbox'] as const satisfies readonly FieldKind[];

/** A signer of a draft. `key` is an identifier of the draft; `signsAs` is a name of a signer in the template of the document. */
export type DraftSigner = { key: string; name: string; email: string; role: SignerRole; signsAs?: string };
export type DraftField = FieldArea & { key: string; signer: string; kind: FieldKind; page: number; required: boolean; label: string };
export type RequestDraft = {
  signers: readonly DraftSigner[];
  /** Whether the signers sign one after the other. */
  inTurn: boolean;
  fields: readonly DraftField[];
  message: string;
  /** The last day, such as `2026-12-24`. */
  until: string;
  requireCode: boolean;
  allowDelegation: boolean;
  /** Empty: the language of the team, or of the account of a member. */
  locale: string;
};

export const maxSigners = 100;
export const maxFields = 500;

const keyOf = (documentId: string) => `signature-draft ${documentId}`;

function stored(documentId: string): RequestDraft | undefined {
  const text = sessionStorage.getItem(keyOf(documentId));
  return text === null ? undefined : (JSON.parse(text) as RequestDraft);
}

/** Forgets the draft of a document. */
export const deleteDraft = (documentId: string): void => sessionStorage.removeItem(keyOf(documentId));

export type ChangeDraft = (change: (draft: RequestDraft) => RequestDraft) => void;

/** The draft of a request, which survives a reload of this tab. */
export function useDraft(documentId: string, start: () => RequestDraft): [RequestDraft, ChangeDraft] {
  const [draft, change] = useState(() => stored(documentId) ?? start());
  useEffect(() => sessionStorage.setItem(keyOf(documentId), JSON.stringify(draft)), [documentId, draft]);
  return [draft, change];
}

export const hasEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());

export const signs = ({ role }: Pick<DraftSigner, 'role'>): boolean => role !== 'copy';

/** The request that a draft describes. */
export function bodyOf(documentId: string, draft: RequestDraft, timeZone: string): RequestBody {
  const { signers, inTurn, fields, message, until, requireCode, allowDelegation, locale } = draft;
  return {
    documentId,
    signers: signers.map(({ key, name, email, role, signsAs }, at) => ({
      name: name.trim(),
      email: email.trim(),
      role,
      ...(inTurn ? { order: at + 1 } : {}),
      ...(signsAs === undefined || !signs({ role }) ? {} : { signsAs }),
      ...(signs({ role }) ? { fields: fields.filter(({ signer }) => signer === key).map(fieldBody) } : {}),
    })),
    ...(message.trim() === '' ? {} : { message: message.trim() }),
    expiresAt: endOfDay(until, timeZone).toISOString(),
    requireCode,
    allowDelegation,
    ...(locale === '' ? {} : { locale }),
  };
}

const fieldBody = ({ kind, page, x, y, width, height, required, label }: DraftField): FieldBody => ({
  kind,
  page,
  x,
  y,
  width,
  height,
  required,
  ...(label.trim() === '' ? {} : { label: label.trim() }),
});
