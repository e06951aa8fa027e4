import { Type } from 'typebox';
import { pageQuery } from '../../../platform/http/page.ts';

/** The reasons for reporting a page. */
export const reportReasons = ['credentials', 'impersonation', 'illegal', 'spam', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** The maximum length of a report, in characters. */
export const maxText = 2_000;

export const reportsQuery = Type.Object(pageQuery);

export const report = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    teamId: Type.String({ format: 'uuid' }),
    interfaceId: Type.String({ format: 'uuid', description: 'The reported interface' }),
    title: Type.String({ description: 'The current title of the interface' }),
    publicUrl: Type.Optional(
      Type.String({ format: 'uri', description: 'The page, if it still exists; the page of a suspended interface responds 404' }),
    ),
    suspended: Type.Boolean({ description: 'Whether staff suspended the interface' }),
    reason: Type.Enum([...reportReasons], { description: 'The reason that the visitor chose' }),
    text: Type.String({ description: 'The unchanged text of the visitor; it can be deceptive' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'InterfaceReport', additionalProperties: false },
);

export const reportPath = Type.Object({ teamId: Type.String(), id: Type.String() });
export const dismissBody = Type.Object({
  reason: Type.String({ minLength: 3, maxLength: 1_000, description: 'The reason, recorded in the journal of the service' }),
});
export const dismissed = Type.Object(
  { id: Type.String(), teamId: Type.String(), reports: Type.Integer({ description: 'The number of dismissed reports' }) },
  { title: 'DismissedReports', additionalProperties: false },
);
