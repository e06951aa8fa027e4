import type { DomainText } from '../../platform/http/openapi/texts.ts';

const given = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  opens: '09:00',
  closes: '17:30',
  holidays: { country: 'DE', state: 'BE' },
  free: ['2026-12-24', '2026-12-31'],
};
const shown = {
  ...given,
  timezone: 'Europe/Berlin',
  nextDays: [
    '2026-03-02',
    '2026-03-03',
    '2026-03-04',
    '2026-03-05',
    '2026-03-06',
    '2026-03-09',
    '2026-03-10',
    '2026-03-11',
    '2026-03-12',
    '2026-03-13',
  ],
  nextHolidays: [{ date: '2026-03-08', name: 'Internationaler Frauentag' }],
};

export const description: DomainText = {
  operations: {
    getWorkingTime: {
      text: 'Shows on which days and until when the team works, by the clocks of its zone, which public holidays of which place are left out, and the days that follow from it. A team that has set none works Monday to Friday from nine to five.',
      answer: shown,
    },
    putWorkingTime: {
      text: 'Sets on which days and until when the team works, all of it at once: what is left out is as if it had never been given. Steps of workflows with `config.dueInWorkingDays` that begin from then on are due by it; what is due already stays as it is. Holidays are the public ones of a country or a part of it, kept up by the service from year to year. It is for owner and administrators.',
      records: ['team.working_time_changed'],
      problems: ['working_time_invalid'],
      body: given,
      answer: shown,
    },
  },
};
