import { defineProblems } from '../../platform/problems.ts';

export const directoryProblems = defineProblems({
  directory_limit: {
    status: 409,
    title: 'Too many directories',
    help: 'A team has at most 5 directories. Delete one that is no longer used.',
  },
  token_limit: {
    status: 409,
    title: 'Too many tokens',
    help: 'A directory has at most two valid tokens, so that one can replace the other. Delete one first.',
  },
  invalid_directory_setting: {
    status: 422,
    title: 'Setting not possible',
    help: 'A setting of the directory names a resource that the team does not have, or a role that you may not give. `detail` names the setting.',
  },
  user_not_linkable: {
    status: 409,
    title: 'User not linkable',
    help: 'The user of the directory is linked already, or the member is linked with another user. List the users with `GET /api/v1/team/directories/{id}/users`.',
  },
  invalid_restore_link: {
    status: 400,
    title: 'Invalid link',
    help: 'The link is wrong, used, or older than 7 days. Restore the users in the directory, or one by one.',
  },
});
