import { randomUUIDv7 } from 'node:crypto';
import { documentReadableBy, reviewDue } from '#documents';
import { memberToTell } from '#teams';
import { type Language, languageOf } from '../platform/mail/compose.ts';
import { on } from '../platform/journal/listeners.ts';
import { createTasks } from './create.ts';
import { firstCharacters } from '../platform/text.ts';

const words: Record<Language, { named: (title: string) => string; unnamed: string; what: string }> = {
  en: {
    named: (title) => `Review: ${title}`,
    unnamed: 'Review a document behind a wall',
    what: 'A retention rule says that it is time to look at this document: keep it, or move it to the bin.',
  },
  de: {
    named: (title) => `Prüfen: ${title}`,
    unnamed: 'Ein Dokument hinter einer Wand prüfen',
    what: 'Nach einer Aufbewahrungsregel ist es Zeit, sich dieses Dokument anzusehen: behalten oder in den Papierkorb.',
  },
};
const mostOfTitle = 200;

/** Gives the owner of a document, whose time a retention rule says has come, the task to look at it. */
export const reviewListener = on(reviewDue, async (scope, { targetId: document, data: { title, ownerId } }) => {
  const { db, team } = scope;
  const owner = await db.first(memberToTell, { team, id: ownerId });
  // Who came to own it from a leaver may stand outside of its wall: to them it has no title.
  const referred = await documentReadableBy(scope, ownerId, document);
  const { named, unnamed, what } = words[languageOf(owner?.locale)];
  const task = {
    id: randomUUIDv7(),
    title: referred ? named(firstCharacters(title, mostOfTitle)) : unnamed,
    description: what,
    type: 'task',
    assigned_to: ownerId,
    created_by: ownerId,
    created_by_type: 'user',
    workflow_id: null,
    step_id: null,
    document_id: document,
    due_at: null,
    config: {},
  };
  await createTasks(scope, [task], referred && { referred, linkedBy: ownerId }, { walled: referred?.walled ?? true });
});
