import { defineDomain } from '../platform/domain.ts';

/** Fields: what a form or a registry asks for, checked and made visible by one definition, on the server and in the page. */
export const domain = defineDomain({ name: 'fields' });
