/** Rounds: one question to several members, with one task as the vote of each. */
export { beginRound, type RoundFailure, type RoundRules, type RoundSubject } from './begin.ts';
export { approvalDecided, approvalVoided } from './events.ts';
export { roundProblems } from './problems.ts';
export { roundRoutes } from './routes.ts';
export { joinRoundSql } from './queries.ts';
export { expireRound, roundExpiry, voteListeners, voidRound, voidRounds } from './votes.ts';
