import { domain as bookings } from '#bookings';
import { domain as documents } from '#documents';
import { domain as fields } from '#fields';
import { domain as folders } from '#folders';
import { domain as registries } from '#registries';
import { domain as renditions } from '#renditions';
import { domain as suggestions } from '#suggestions';
import { domain as teams } from '#teams';
import { domain as workflows } from '#workflows';
import { defineDomain } from '../platform/domain.ts';

/** Interfaces: forms, booking forms and registry forms that people without an account answer, and what they answered. */
export const domain = defineDomain({
  name: 'interfaces',
  uses: { teams, folders, documents, workflows, fields, registries, bookings, renditions, suggestions },
});
