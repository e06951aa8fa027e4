import { defineTexts } from './texts.ts';

/** The roles of a team. */
export const roleTexts = defineTexts({
  en: { owner: 'Owner', admin: 'Administrator', member: 'Member', viewer: 'Viewer', guest: 'Guest', auditor: 'Auditor' },
  de: { owner: 'Inhaber/in', admin: 'Administrator/in', member: 'Mitglied', viewer: 'Leserecht', guest: 'Gast', auditor: 'Prüfer/in' },
});
