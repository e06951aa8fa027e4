import { randomUUID } from 'node:crypto';
import { slotsOfCalendar } from '#bookings';
import { chooseLocale, resolveFields, resolveText, localesOf } from '#fields';
import { teamAndMember } from '#teams';
import { brandOf, type FormsForPages } from '../for-pages.ts';
import { interfaceProblems } from '../problems.ts';
import { withDefaults } from '../present.ts';
import { type LanguagePreference, shownInterface } from '../public.ts';
import { takeAnswers } from '../submit/index.ts';
import { type Previewed, previewed } from './service.ts';

/** The use cases behind preview pages. They show the draft and validate answers, but store nothing. */
export function formsForPreview(): FormsForPages {
  const gone = () =>
    interfaceProblems.interface_not_found(
      'A preview stores no answers, so there is nothing to resume. Open the link of the published form.',
    );
  return {
    async show({ server: { database }, headers }, token, { locale } = {}) {
      const draft = await previewed(database, token);
      const team = await database.reader(draft.team).first(teamAndMember, { team: draft.team, member: draft.owner_id });
      return shownDraft(draft, { wanted: locale, accepted: headers['accept-language'] }, team?.name ?? '');
    },

    async submit({ server: { database } }, _reply, token, { data, locale: wanted, accepted }) {
      const { definition, team } = await previewed(database, token);
      const locales = localesOf(definition);
      const locale = chooseLocale({ wanted, accepted }, locales, locales[0]);
      await takeAnswers(definition, data, { locale, team });
      const { successMessage } = withDefaults(definition).publicSettings;
      const message = successMessage === undefined ? '' : resolveText(successMessage, locale, locales[0]);
      return { submissionId: randomUUID(), hasSession: false, message };
    },

    async upload(_request, _reply, _token, { file, filename, mimetype }) {
      let size = 0;
      for await (const part of file) size += (part as Buffer).length;
      return { fileId: randomUUID(), fileName: filename, mediaType: mimetype, size };
    },

    draft: () => Promise.resolve(undefined),
    keep: () => Promise.reject(gone()),
    resume: () => Promise.reject(gone()),
    report: () => Promise.reject(gone()),
    // Only booking pages request the branding by team, and a preview creates no booking.
    brand: () => Promise.reject(gone()),
    confirm: () => Promise.reject(gone()),
    finish: () => Promise.resolve(),
    outcome: () => Promise.resolve(undefined),
    offered: (_request, _token, offers) => Promise.resolve(offers.map(() => [])),

    async slots({ server: { database, clock } }, token, range) {
      const { id, team } = await previewed(database, token);
      return slotsOfCalendar({ db: database.reader(team), team, now: clock() }, id, range);
    },
  };
}

function shownDraft(draft: Previewed, preference: LanguagePreference, teamName: string): Awaited<ReturnType<FormsForPages['show']>> {
  const { definition, revision } = draft;
  const locales = localesOf(definition);
  const shown = shownInterface(draft, preference);
  // A redirect would hide the notice that nothing was sent.
  const { redirectUrl: _, ...settings } = withDefaults(definition).publicSettings;
  return {
    shown: { ...shown, config: { ...shown.config, requireAltcha: false, drafts: false } },
    fields: resolveFields(definition.fields, chooseLocale(preference, locales, locales[0]), locales[0]),
    version: revision,
    by: brandOf(draft, teamName),
    timeZone: 'UTC',
    settings,
    team: draft.team,
    preview: true,
  };
}
