import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';
import { memberSearch } from './member-search.ts';

const start = createRoute({
  path: '/settings',
  getParentRoute: () => shellRoute,
  beforeLoad: () => redirect({ to: '/settings/members', replace: true, throw: true }),
});
const team = createRoute({
  path: '/settings/team',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./team.tsx'), 'TeamPage'),
});
const members = createRoute({
  path: '/settings/members',
  getParentRoute: () => shellRoute,
  validateSearch: memberSearch,
  component: lazyRouteComponent(() => import('./members.tsx'), 'MembersPage'),
});
const member = createRoute({
  path: '/settings/members/$userId',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./member.tsx'), 'MemberPage'),
});
const invitations = createRoute({
  path: '/settings/invitations',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./invitations.tsx'), 'InvitationsPage'),
});

const guests = createRoute({
  path: '/settings/guests',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./guests.tsx'), 'GuestsPage'),
});
const groups = createRoute({
  path: '/settings/groups',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./groups.tsx'), 'GroupsPage'),
});
const group = createRoute({
  path: '/settings/groups/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./group.tsx'), 'GroupPage'),
});

export const settingsRoutes = [start, team, members, member, invitations, guests, groups, group] as const;
