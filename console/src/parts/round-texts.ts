import { defineTexts, plural } from '../texts/texts.ts';

export const roundTexts = defineTexts({
  en: {
    title: 'Approval round',
    progress: (given: number, needed: number) => `${given} of ${needed} approvals`,
    missing: (count: number) => plural(count, { one: '1 more approval is needed.', other: `${count} more approvals are needed.` }),
    first: 'One rejection ends the round.',
    quorum: 'The round ends when too few people are left to approve.',
    waits: 'Has not voted',
    onBehalfOf: 'in place of',
    status: { open: 'Open', approved: 'Approved', rejected: 'Rejected', voided: 'Voided', expired: 'Expired' },
    expires: 'Expires',
  },
  de: {
    title: 'Freigaberunde',
    progress: (given: number, needed: number) => `${given} von ${needed} Freigaben`,
    missing: (count: number) => plural(count, { one: 'Es fehlt noch 1 Freigabe.', other: `Es fehlen noch ${count} Freigaben.` }),
    first: 'Eine Ablehnung beendet die Runde.',
    quorum: 'Die Runde endet, wenn zu wenige Personen für eine Freigabe übrig sind.',
    waits: 'Hat noch nicht entschieden',
    onBehalfOf: 'in Vertretung von',
    status: { open: 'Offen', approved: 'Freigegeben', rejected: 'Abgelehnt', voided: 'Ungültig', expired: 'Abgelaufen' },
    expires: 'Läuft ab',
  },
});
