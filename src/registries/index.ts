import { domain as fields } from '#fields';
import { domain as teams } from '#teams';
import { defineDomain } from '../platform/domain.ts';

/** Registries: typed records of a team, with the history of who changed what. */
export const domain = defineDomain({ name: 'registries', uses: { teams, fields } });
