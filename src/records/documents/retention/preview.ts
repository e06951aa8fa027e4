import { problems } from '../../../platform/problems.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { dayIn, endOfDay } from '../dates/calculate.ts';
import { zoneFor } from '../dates/service.ts';
import * as queries from './queries.ts';
import { dispositionOf, isActing, type Rule } from './retention-schedule.ts';
import { markOf, ruledFolder, ruleFrom } from './rules.ts';
import type { Preview, DispositionView } from './schemas.ts';

/** The times of a document from which rules count. */
export const countedOf = (row: queries.CountedRow) => ({
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
  expiresAt: row.expires_at,
  renewsItself: row.renewal === 'tacit',
});

/** Converts rules to statement parameters, with the latest time from which a due document counts. A rule that is not active makes no document due. */
export function ruleParams(rules: readonly { rule: Rule; mark: string }[], dueBy: (rule: Rule) => { before: Date; day: string }) {
  const dues = rules.map(({ rule }) => dueBy(rule));
  return {
    folders: rules.map(({ rule }) => rule.folder),
    bases: rules.map(({ rule }) => rule.from),
    befores: dues.map(({ before }) => before),
    days: dues.map(({ day }) => day),
    marks: rules.map(({ mark }) => mark),
  };
}

/**
 * Returns a page of the documents in a folder, each with the action that the rules require and its day. With `preview`, that rule replaces the rule of
 * the folder. Folders inside another barrier are left out. Errors: 400, 403, 404.
 */
export async function previewRule(
  scope: ReadScope,
  id: string,
  { preview: { action, after, from }, page }: { preview: Preview; page: { after: string; limit: number } },
): Promise<{ thing: DispositionView | undefined; place: [string] }[]> {
  const { db, team, now } = scope;
  const { folder } = await ruledFolder(scope, id);
  const given = [action, after, from].filter((member) => member !== undefined).length;
  if (given !== 0 && given !== 3)
    throw problems.validation_failed('To preview another rule, give `action`, `after` and `from` together, or none of them.');
  const rows = await db.all(queries.rulesWithin, { team, folder: folder.id });
  const currentRules = rows.filter(({ ends_at }) => ends_at === null).map((row) => ({ rule: ruleFrom(row), mark: markOf(row) }));
  const rules =
    action === undefined || after === undefined || from === undefined
      ? currentRules
      : [
          ...currentRules.filter(({ rule }) => rule.folder !== folder.id),
          { rule: { folder: folder.id, action, after, from, effectiveFrom: now, endsAt: null }, mark: '' },
        ];
  const timeZone = await zoneFor(scope);
  const today = dayIn(timeZone, now);
  const params = ruleParams(rules, () => ({ before: endOfDay(today, timeZone), day: today.toString() }));
  const found = await db.all(queries.previewed, { team, folder: folder.id, ...params, ...page });
  return found.map((row) => {
    const covering = row.rules.flatMap((n) => rules[n - 1]?.rule ?? []);
    const disposition = dispositionOf(covering, countedOf(row), timeZone);
    if (!disposition) return { thing: undefined, place: [row.id] };
    const { rule } = disposition;
    // No document is due before each covering rule is active, or before today.
    const earliest = [today, ...covering.filter((one) => !isActing(one, now)).map(({ effectiveFrom }) => dayIn(timeZone, effectiveFrom))];
    const on = disposition.on && [disposition.on, ...earliest].toSorted((a, b) => Temporal.PlainDate.compare(b, a))[0];
    const thing = {
      documentId: row.id,
      title: row.title,
      folderId: row.folder_id,
      action: rule.action,
      ...(on ? { on: on.toString() } : {}),
      ruleFolderId: rule.folder,
    };
    return { thing, place: [row.id] };
  });
}
