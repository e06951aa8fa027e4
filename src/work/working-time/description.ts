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
      text: 'Shows the working days and hours of the team in its time zone, its excluded public holidays, and the next working days. The default is Monday to Friday from 09:00 to 17:00.',
      answer: shown,
    },
    putWorkingTime: {
      text: 'Replaces the working time of the team: omitted members return to their default. Workflow steps with `config.dueInWorkingDays` that begin later use it; existing due dates stay. Holidays are the public ones of a country or a part of it, updated by the service each year. Owner and administrators may set it.',
      records: ['team.working_time_changed'],
      problems: ['working_time_invalid'],
      body: given,
      answer: shown,
    },
  },
};
