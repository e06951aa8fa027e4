import { desk } from '../../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../../platform/http/openapi/texts.ts';

const teamId = desk.team.id;

export const reportsText: DomainText['operations'] = {
  listInterfaceReports: {
    text: 'Lists open reports of visitors about public pages, of all teams. A report is open until staff suspend the interface or dismiss its reports. Chancery stores no data about the reporter, and teams cannot see reports. An interface has at most 100 open reports; further reports are accepted but not stored.',
    problems: ['totp_setup_required'],
    answer: [
      {
        id: desk.report,
        teamId,
        interfaceId: desk.interface,
        title: 'New matter',
        publicUrl: `https://chancery.example/f/${desk.publicToken}`,
        suspended: false,
        reason: 'credentials',
        text: 'It wants the password of my mailbox.',
        createdAt: '2026-10-20T09:00:00.000Z',
      },
    ],
  },
  dismissInterfaceReports: {
    text: 'Dismisses all reports of an interface without action. The journal of the service records their number and the reason; the team gets no notification. Without reports nothing changes.',
    records: ['interface.reports_dismissed'],
    problems: ['totp_setup_required'],
    body: { reason: 'The page is genuine.' },
    answer: { id: desk.interface, teamId, reports: 2 },
  },
};
