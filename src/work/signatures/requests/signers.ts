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

/** A field as it is inserted. */
export type NewField = Omit<FieldBody, 'id' | 'label' | 'required'> & {
  id: string;
  signer_id: string;
  position: number;
  label: string | null;
  required: boolean;
};
export type NewSigners = { signers: NewSigner[]; fields: NewField[]; outside: boolean };

const invalid = (errors: FieldError[]) =>
  requestProblems.signer_invalid(`Somebody cannot be asked to sign: ${errors.map(({ reason }) => reason).join('; ')}.`, { errors });

type Person = { email: string; name: string };

/** Why nobody of this name and address can be asked to sign; undefined where somebody can. */
function personError({ email, name }: Person): { member: keyof Person; reason: string; rule: string } | undefined {
  if (!parseEmail(email)) return { member: 'email', reason: 'the address cannot be written to', rule: 'email' };
  try {
    refuseLink(cleanName(name), 'name');
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const reason = 'the name must have 1 to 255 printable characters, without a slash and without an address of a page';
    return { member: 'name', reason, rule: 'name' };
  }
}

/** A name and an address as they are kept. Errors: 422 by `refuse`. */
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

type Replaced = { request: string; id: string; /** The signer who passes the request on. */ delegatedBy?: Person };

/** Stores another person in the place of a signer. The sessions and links of before end. */
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

/** Why these cannot be the signers of one request, whatever the document: with the place of each member that is wrong. */
export function signersError(
  given: readonly (Person & { role?: string | undefined })[],
): { at: string; reason: string; rule: string } | undefined {
  const keys = new Set<string | undefined>();
  for (const [at, person] of given.entries()) {
    const wrong = personError(person);
    if (wrong) return { at: `${at}/${wrong.member}`, reason: wrong.reason, rule: wrong.rule };
    const key = parseEmail(person.email)?.key;
    if (keys.has(key)) return { at: `${at}/email`, reason: 'is the address of another signer as well', rule: 'unique' };
    keys.add(key);
  }
  if (given.length > 0 && given.every(({ role }) => role === 'copy'))
    return { at: '0/role', reason: 'somebody must be asked to sign or to approve', rule: 'contains' };
  return undefined;
}

/**
 * Who is to be asked, as rows: each address once, members by their accounts. Errors: 422 `signer_invalid`, `duplicate_signer`,
 * `creator_cannot_approve`.
 */
export async function resolveSigners(scope: Scope, document: ReferredDocument, given: readonly SignerBody[]): Promise<NewSigners> {
  const people = (await placed(scope, document, given)).map((one, at) => ({ ...one, ...cleanPerson(one, `/signers/${at}`, invalid), at }));
  for (const { email_key: key, at } of people)
    if (people.findIndex((other) => other.email_key === key) !== at)
      throw requestProblems.duplicate_signer('An address is there twice. Each address is asked once in a request.', {
        errors: [fieldError(`/signers/${at}/email`, 'is the address of another signer as well', 'unique')],
      });
  if (!people.some(({ role }) => role !== 'copy'))
    throw invalid([fieldError('/signers', 'somebody must be asked to sign or to approve', 'contains')]);
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

/** Who has made what is signed: who asks for it, and who uploaded the version. */
export async function creatorsOf(
  scope: Scope,
  request: { document_id: string; document_version: number; created_by?: string; requested_by?: string },
): Promise<ReadonlySet<string | undefined>> {
  const uploaded = await versionOfDocument(scope, request.document_id, request.document_version);
  const actor = scope.actor.type === 'system' ? undefined : scope.actor.id;
  return new Set([uploaded?.uploadedBy, request.created_by ?? actor, request.requested_by ?? actor]);
}

/** Whoever asks, or uploaded the version, agrees to what they have made and approves nothing. Errors: 422 `creator_cannot_approve`. */
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
      'Whoever asks for the signatures, or uploaded the version, approves nothing of it. Ask them as `signer`.',
      {
        errors: [fieldError(`/signers/${creator.place}/role`, 'has made what is to be approved', 'maker')],
      },
    );
}

/** A member whom a barrier keeps from the document is not shown it by being asked to sign it. Errors: 422 `signer_invalid`. */
export async function refuseOutsideBarrier(
  scope: Scope,
  document: Pick<ReferredDocument, 'id' | 'barred'>,
  signers: readonly Pick<NewSigner, 'account_id' | 'place'>[],
): Promise<void> {
  if (!document.barred) return;
  for (const { account_id: account, place } of signers)
    if (account !== null && (await scope.db.first(outsideOf, { team: scope.team, document: document.id, user: account }))?.outside)
      throw invalid([fieldError(`/signers/${place}/email`, 'a barrier around the document keeps this member out', 'barrier')]);
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

/** The signers with the fields that the template of the document places for them. Errors: 422 `signer_invalid`. */
async function placed(scope: Scope, { id, version = 0 }: ReferredDocument, given: readonly SignerBody[]): Promise<SignerBody[]> {
  if (given.every(({ signsAs }) => signsAs === undefined)) return [...given];
  const places = await fieldPlacesOf(scope, id, version);
  const known = [...new Set(places.map(({ signer }) => signer))];
  return given.map((one, at) => {
    const { signsAs, fields = [] } = one;
    if (signsAs === undefined) return one;
    const pointer = `/signers/${at}/signsAs`;
    if (known.length === 0)
      throw invalid([
        fieldError(pointer, 'this version of the document was not made from a template that places fields; give `fields`', 'place'),
      ]);
    if (!known.includes(signsAs)) throw invalid([fieldError(pointer, `must be a signer of its template: ${known.join(', ')}`, 'enum')]);
    if (given.findIndex((other) => other.signsAs === signsAs) !== at)
      throw invalid([fieldError(pointer, 'is the place of another signer as well', 'unique')]);
    return { ...one, fields: [...fields, ...places.filter(({ signer }) => signer === signsAs).map(fieldAt)] };
  });
}

function fieldsOf(people: readonly (SignerBody & { at: number })[], signers: readonly NewSigner[]): NewField[] {
  const given = people.flatMap(({ fields = [], role, at }) => {
    if (role === 'copy' && fields.length > 0)
      throw invalid([fieldError(`/signers/${at}/fields`, 'who gets a copy fills no fields', 'role')]);
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
    // It stands on the page of who signs, beside words of ours.
    if (label !== null && !isPlainText(label))
      throw invalid([
        fieldError(
          `/signers/${at}/fields/${n}/label`,
          'must not contain control characters, or others that turn the direction of a text',
          'text',
        ),
      ]);
    if (ids.has(id)) throw invalid([fieldError(`/signers/${at}/fields/${n}/id`, 'is the id of another field as well', 'unique')]);
    ids.add(id);
    return { ...place, id, signer_id: signers[at]?.id ?? '', position, label, required };
  });
}
