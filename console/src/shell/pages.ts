import type { IconName } from '../parts/icons.tsx';
import type { Claims } from '../session/claims.ts';

type NavigationText = 'inbox' | 'documents' | 'workflows' | 'signatures' | 'matters' | 'templates' | 'settings' | 'me';
export type ShellPage = {
  name: NavigationText;
  path: string;
  icon: IconName;
  /** The letter after `g` that opens it. */
  key: string;
  /** The bar of a phone has four pages, and the others under More. */
  isUnderMore?: boolean;
  /** Pages that a role can never use are hidden. */
  isFor?: (claims: Claims) => boolean;
};

const administers = ({ role }: Claims) => role === 'owner' || role === 'admin';

/** The pages of the navigation, in its order. A new screen has a line here if people go to it directly. */
export const mainPages: readonly ShellPage[] = [
  { name: 'inbox', path: '/', icon: 'inbox', key: 'i' },
  { name: 'documents', path: '/documents', icon: 'document', key: 'd' },
  { name: 'workflows', path: '/workflows', icon: 'workflow', key: 'w' },
  { name: 'signatures', path: '/signatures', icon: 'signature', key: 's' },
  {
    name: 'matters',
    path: '/matters',
    icon: 'matter',
    key: 'a',
    isUnderMore: true,
    isFor: ({ scopes }) => scopes.has('matters:read'),
  },
];
export const ownPages: readonly ShellPage[] = [
  { name: 'templates', path: '/templates', icon: 'template', key: 'l' },
  { name: 'settings', path: '/settings', icon: 'settings', key: 't', isFor: administers },
  { name: 'me', path: '/me', icon: 'person', key: 'm' },
];

export const pagesFor = (claims: Claims, pages: readonly ShellPage[] = [...mainPages, ...ownPages]): ShellPage[] =>
  pages.filter(({ isFor }) => isFor?.(claims) ?? true);
