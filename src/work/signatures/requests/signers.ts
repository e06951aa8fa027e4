import { randomUUIDv7 } from 'node:crypto';
import { parseEmail } from '#accounts';
import { type ReferredDocument, versionOfDocument } from '#documents';
import { membersByAddress } from '#teams';
import { type FieldError, fieldError, Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { cleanName, isPlainText, refuseLink } from '../../../platform/text.ts';
import { requestProblems } from './problems.ts';
import { type NewSigner, outsideOf, touchRequest } from './queries.ts';
import * as signerQueries from './signer-queries.ts';
import { fieldPlacesOf } from './field-places.ts';
import { type FieldBody, type FieldPlace, most, type SignerBody } from './schemas.ts';

/** A field in the form in which it is inserted. */
export type NewField = Omit<FieldBody, 'id' | 'label' | 'required'> & {
  id: string;
  signer_id: string;
  position: number;
  label: string | null;
  required: boolean;
};
export type NewSigners = { signers: NewSigner[]; fields: NewField[]; outside: boolean };

const invalid = (errors: FieldError[]) =>
  requestProblems.signer_invalid(`A signer is invalid: ${errors.map(({ reason }) => reason).join('; ')}.`, { errors });

type Person = { email: string; name: string };

/** Returns why a person cannot be a signer, or undefined if the name and the address are valid. */
function personError({ email, name }: Person): { member: keyof Person; reason: string; rule: string } | undefined {
  if (!parseEmail(email)) return { member: 'email', reason: 'the email address is invalid', rule: 'email' };
  try {
    refuseLink(cleanName(name), 'name');
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const reason = 'the name must have 1 to 255 printable characters, without slashes and web addresses';
    return { member: 'name', reason, rule: 'name' };
  }
}

/** Returns the normalized name and address of a person. Throws 422 with `refuse`. */
export function cleanPerson(
  given: Person,
  at: string,
  refuse: (errors: FieldError[]) => Problem,
): { email: string; email_key: string; name: string } {
  const wrong = personError(given);
  const address = parseEmail(given.email);
  if (wrong || !address) throw refuse(wrong ? [fieldError(`${at}/${wrong.member}`, wrong.reason, wrong.rule)] : []);
  return { email: address.address, email_key: address.key, name: cleanName(given.name) };
}

type Replaced = { request: string; id: string; /** The signer who delegates the request. */ delegatedBy?: Person };

/** Stores another person in place of a signer. The previous sessions and links become invalid. */
export function replaceSigner(
  { db, team, now }: Scope,
  { request, id, delegatedBy }: Replaced,
  { email, email_key: key, name, account }: ReturnType<typeof cleanPerson> & { account: string | null },
): void {
  const delegated = { delegatedName: delegatedBy?.name ?? null, delegatedEmail: delegatedBy?.email ?? null };
  db.send(signerQueries.dropSessions, { team, signer: id });
  db.send(signerQueries.replaceSigner, { team, id, email, key, name, account, ...delegated });
  db.send(touchRequest, { team, id: request, at: now });
}

/**
 * Returns why these people cannot be the signers of one request, with the path of the invalid member. Does not check whether they created the
 * document.
 */
export function signersError(
  given: readonly (Person & { role?: string | undefined })[],
): { at: string; reason: string; rule: string } | undefined {
  const keys = new Set<string | undefined>();
  for (const [at, person] of given.entries()) {
    const wrong = personError(person);
    if (wrong) return { at: `${at}/${wrong.member}`, reason: wrong.reason, rule: wrong.rule };
    const key = parseEmail(person.email)?.key;
    if (keys.has(key)) return { at: `${at}/email`, reason: 'is also the address of another signer', rule: 'unique' };
    keys.add(key);
  }
  if (given.length > 0 && given.every(({ role }) => role === 'copy'))
    return { at: '0/role', reason: 'at least one signer or approver is required', rule: 'contains' };
  return undefined;
}

/**
 * Returns the signers as rows, each address once and members with their accounts. Throws 422 `signer_invalid`, `duplicate_signer` or
 * `creator_cannot_approve`.
 */
export async function resolveSigners(scope: Scope, document: ReferredDocument, given: readonly SignerBody[]): Promise<NewSigners> {
  const people = (await placed(scope, document, given)).map((one, at) => ({ ...one, ...cleanPerson(one, `/signers/${at}`, invalid), at }));
  for (const { email_key: key, at } of people)
    if (people.findIndex((other) => other.email_key === key) !== at)
      throw requestProblems.duplicate_signer('Two signers have the same address. Use each address once in a request.', {
        errors: [fieldError(`/signers/${at}/email`, 'is also the address of another signer', 'unique')],
      });
  if (!people.some(({ role }) => role !== 'copy'))
    throw invalid([fieldError('/signers', 'at least one signer or approver is required', 'contains')]);
  const members = await scope.db.all(membersByAddress, { team: scope.team, keys: people.map(({ email_key: key }) => key) });
  const memberOf = (key: string) => members.find((member) => member.email_key === key)?.id ?? null;
  const signers = people.map(({ email, email_key, name, order = 1, role = 'signer', at }): NewSigner => ({
    id: randomUUIDv7(),
    place: at,
    turn: order,
    role,
    email,
    email_key,
    name,
    account_id: memberOf(email_key),
  }));
  await refuseCreators(scope, { document_id: document.id, document_version: document.version ?? 0 }, signers);
  await refuseOutsideBarrier(scope, document, signers);
  return { signers, fields: fieldsOf(people, signers), outside: signers.some(({ account_id: account }) => account === null) };
}

/** Returns the creators of the document to sign: the requester and the uploader of the version. */
export async function creatorsOf(
  scope: Scope,
  request: { document_id: string; document_version: number; created_by?: string; requested_by?: string },
): Promise<ReadonlySet<string | undefined>> {
  const uploaded = await versionOfDocument(scope, request.document_id, request.document_version);
  const actor = scope.actor.type === 'system' ? undefined : scope.actor.id;
  return new Set([uploaded?.uploadedBy, request.created_by ?? actor, request.requested_by ?? actor]);
}

/** Rejects the requester and the uploader of the version as approvers, because they already agreed. Throws 422 `creator_cannot_approve`. */
export async function refuseCreators(
  scope: Scope,
  request: Parameters<typeof creatorsOf>[1],
  signers: readonly Pick<NewSigner, 'role' | 'account_id' | 'place'>[],
): Promise<void> {
  const approvers = signers.filter(({ role, account_id: account }) => role === 'approver' && account !== null);
  if (approvers.length === 0) return;
  const creators = await creatorsOf(scope, request);
  const creator = approvers.find(({ account_id: account }) => account !== null && creators.has(account));
  if (creator)
    throw requestProblems.creator_cannot_approve(
      'The requester and the uploader of the version cannot be approvers. Use the role `signer`.',
      {
        errors: [fieldError(`/signers/${creator.place}/role`, 'is the creator of the document', 'maker')],
      },
    );
}

/**
 * Rejects members outside the barrier of the document, because a signature request would give these members access to the document. Throws 422
 * `signer_invalid`.
 */
export async function refuseOutsideBarrier(
  scope: Scope,
  document: Pick<ReferredDocument, 'id' | 'barred'>,
  signers: readonly Pick<NewSigner, 'account_id' | 'place'>[],
): Promise<void> {
  if (!document.barred) return;
  for (const { account_id: account, place } of signers)
    if (account !== null && (await scope.db.first(outsideOf, { team: scope.team, document: document.id, user: account }))?.outside)
      throw invalid([fieldError(`/signers/${place}/email`, 'a barrier around the document excludes this member', 'barrier')]);
}

const fieldAt = ({ kind, page, x, y, width, height, label, required }: FieldPlace): FieldBody => ({
  kind,
  page,
  x,
  y,
  width,
  height,
  ...(label === undefined ? {} : { label }),
  ...(required === undefined ? {} : { required }),
});

/** Returns the signers with the fields that the template assigns to them. Throws 422 `signer_invalid`. */
async function placed(scope: Scope, { id, version = 0 }: ReferredDocument, given: readonly SignerBody[]): Promise<SignerBody[]> {
  if (given.every(({ signsAs }) => signsAs === undefined)) return [...given];
  const places = await fieldPlacesOf(scope, id, version);
  const known = [...new Set(places.map(({ signer }) => signer))];
  return given.map((one, at) => {
    const { signsAs, fields = [] } = one;
    if (signsAs === undefined) return one;
    const pointer = `/signers/${at}/signsAs`;
    if (known.length === 0)
      throw invalid([fieldError(pointer, 'this version of the document has no field positions from a template; use `fields`', 'place')]);
    if (!known.includes(signsAs)) throw invalid([fieldError(pointer, `must be a signer of its template: ${known.join(', ')}`, 'enum')]);
    if (given.findIndex((other) => other.signsAs === signsAs) !== at)
      throw invalid([fieldError(pointer, 'is also used by another signer', 'unique')]);
    return { ...one, fields: [...fields, ...places.filter(({ signer }) => signer === signsAs).map(fieldAt)] };
  });
}

function fieldsOf(people: readonly (SignerBody & { at: number })[], signers: readonly NewSigner[]): NewField[] {
  const given = people.flatMap(({ fields = [], role, at }) => {
    if (role === 'copy' && fields.length > 0)
      throw invalid([fieldError(`/signers/${at}/fields`, 'a copy recipient cannot have fields', 'role')]);
    return fields.map((one, n) => ({ ...one, at, n }));
  });
  if (given.length > most.fields) throw invalid([fieldError('/signers', `a request has at most ${most.fields} fields`, 'maxItems')]);
  const taken = new Set(given.flatMap(({ id }) => (id === undefined ? [] : [id])));
  let next = 0;
  const fresh = (): string => {
    do next += 1;
    while (taken.has(`f${next}`));
    return `f${next}`;
  };
  const ids = new Set<string>();
  return given.map(({ at, n, id = fresh(), label = null, required = true, ...place }, position) => {
    // The label appears on the page of the signer, beside texts of the service.
    if (label !== null && !isPlainText(label))
      throw invalid([
        fieldError(
          `/signers/${at}/fields/${n}/label`,
          'must not contain control characters or characters that change the text direction',
          'text',
        ),
      ]);
    if (ids.has(id)) throw invalid([fieldError(`/signers/${at}/fields/${n}/id`, 'is also the ID of another field', 'unique')]);
    ids.add(id);
    return { ...place, id, signer_id: signers[at]?.id ?? '', position, label, required };
  });
}
