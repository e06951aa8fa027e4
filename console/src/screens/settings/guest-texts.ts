import { defineTexts } from '../../texts/texts.ts';

export const guestTexts = defineTexts({
  en: {
    intro: 'People from outside. They see only what is shared with them, until their access ends.',
    invite: 'Invite a guest',
    preview: 'Guest',
    none: 'No guests',
    noneText:
      'Invite a client or an opposing counsel to single folders and documents. Guests who have not joined yet are under Invitations.',
  },
  de: {
    intro: 'Personen von außen. Sie sehen nur, was für sie freigegeben ist, bis ihr Zugang endet.',
    invite: 'Gast einladen',
    preview: 'Gast',
    none: 'Keine Gäste',
    noneText:
      'Laden Sie eine Mandantin oder die Gegenseite zu einzelnen Ordnern und Dokumenten ein. Wer noch nicht beigetreten ist, steht unter Einladungen.',
  },
});
