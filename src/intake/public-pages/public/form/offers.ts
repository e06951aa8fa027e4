import { recordText } from '#fields';
import type { FastifyRequest } from 'fastify';
import type { PublicPages } from '../context.ts';
import type { InProgress, OpenForm } from './form-page.ts';
import { chosenOf, type OfferedRecord } from './question.ts';

/** Maximum number of searched lists on one page. */
const maxSearches = 10;

/** Returns the records for the registry fields of a form: search results and chosen records. */
export async function offeredIn(
  { forms }: PublicPages,
  request: FastifyRequest,
  { form: { fields }, token }: OpenForm,
  { answers, searches = new Map() }: Pick<InProgress, 'answers' | 'searches'>,
): Promise<ReadonlyMap<string, readonly OfferedRecord[]>> {
  const asking = fields.flatMap(({ id, registryTypeId }) => (registryTypeId === undefined ? [] : [{ id, registryTypeId }]));
  if (asking.length === 0) return new Map();
  const searched = new Set([...searches].flatMap(([id, words]) => (words === '' ? [] : [id])).slice(0, maxSearches));
  const offers = asking.map(({ id, registryTypeId }) => ({
    registryTypeId,
    chosen: chosenOf(answers[id]),
    q: searched.has(id) ? searches.get(id)?.slice(0, 200) : undefined,
  }));
  const found = await forms.offered(request, token, offers);
  return new Map(
    asking.map(({ id }, place) => [
      id,
      (found[place] ?? []).map((record) => ({ id: record.id, label: recordText(Object.values(record.data)) || record.id })),
    ]),
  );
}
