import { randomUUIDv7 } from 'node:crypto';
import { readableDocument, reviewDue } from '#documents';
import { memberContact } from '#teams';
import { type Language, languageOf } from '../../platform/mail/compose.ts';
import { on } from '../../platform/journal/listeners.ts';
import { createTasks } from './create.ts';
import { firstCharacters } from '../../platform/text.ts';

const words: Record<Language, { named: (title: string) => string; what: string }> = {
  en: {
    named: (title) => `Review: ${title}`,
    what: 'A retention rule requires a review of this document. Keep it, or move it to the bin.',
  },
  de: {
    named: (title) => `Prüfen: ${title}`,
    what: 'Eine Aufbewahrungsregel verlangt eine Prüfung dieses Dokuments. Behalten Sie es, oder verschieben Sie es in den Papierkorb.',
  },
};
const maxOfTitle = 200;

/** Assigns the review that a retention rule requires to the owner of the document. The task has no assignee if a barrier excludes the owner. */
export const reviewListener = on(reviewDue, async (scope, { targetId: document, data: { title, ownerId } }) => {
  const { db, team } = scope;
  const owner = await db.first(memberContact, { team, id: ownerId });
  const referred = await readableDocument({ ...scope, actor: { type: 'system' } }, document);
  const { named, what } = words[languageOf(owner?.locale)];
  const task = {
    id: randomUUIDv7(),
    title: named(firstCharacters(title, maxOfTitle)),
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
  await createTasks(scope, [task], referred && { referred, linkedBy: ownerId });
});
