/**
 * Staff: the people who run the service. Accounts, sign-in and tokens of their own, apart from those of teams, and what
 * they may do for teams and people. Every act of theirs stands in a journal.
 */
export { openStaff, sealedStaffFactors, type Staff, type StaffDeps } from './deps.ts';
export { dropExpiredStaff } from './jobs.ts';
export { administerStaff, type StaffAdministration } from './members.ts';
export { staffRoutes } from './routes.ts';
