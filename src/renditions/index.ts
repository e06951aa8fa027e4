import { domain as teams } from '#teams';
import { defineDomain } from '../platform/domain.ts';

/** Renditions: the PDF that is made of what is kept here, and the code that says whether a copy is genuine. */
export const domain = defineDomain({ name: 'renditions', uses: { teams } });
