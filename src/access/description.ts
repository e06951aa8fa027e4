import { desk } from '../platform/http/openapi/example-data.ts';
import type { DomainText } from '../platform/http/openapi/texts.ts';

const group = {
  id: '019aa0de-7c1f-7d63-9d57-0b7c0d5e3f31',
  name: 'Litigation',
  description: 'The lawyers for disputes',
  membersCount: 1,
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const member = { userId: desk.priya.id, addedBy: desk.olivia.id, addedAt: desk.monday };

const auditor = {
  userId: desk.jonas.id,
  email: desk.jonas.email,
  endsAt: '2026-06-30T22:00:00.000Z',
  journalFrom: '2025-01-01T00:00:00.000Z',
  journalTo: '2026-01-01T00:00:00.000Z',
  mayExport: false,
  things: [{ type: 'folder', id: desk.folder }],
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const { email, endsAt, journalFrom, journalTo, mayExport, things } = auditor;

export const description: DomainText = {
  operations: {
    listAuditors: {
      text: 'Lists the auditors who have joined, with their seats. Auditors who were invited are in the list of invitations. Allowed are owner and administrators.',
      answer: [auditor],
    },
    inviteAuditor: {
      text: 'Mails an invitation to an auditor. With the membership they read `things`, including everything below a folder, and the journal entries about them between `journalFrom` and `journalTo`, until `endsAt`. An information barrier must name the auditor. `mayExport` allows archives and exports of the journal. Each of their requests is in the journal as `auditor.read`. Only the owner can call it, with a sign-in of the last 15 minutes.',
      records: ['member.invited'],
      problems: [
        'reauthentication_required',
        'already_member',
        'already_invited',
        'invitation_limit',
        'quota_exceeded',
        'end_required',
        'end_too_far',
        'access_not_shareable',
      ],
      body: { email, endsAt, journalFrom, journalTo, mayExport, things },
      answer: {
        id: desk.invitation,
        email,
        role: 'auditor',
        endsAt,
        status: 'pending',
        createdBy: desk.olivia.id,
        createdByType: 'user',
        createdAt: desk.monday,
        sentAt: desk.monday,
        expiresAt: '2026-03-12T08:30:00.000Z',
      },
    },
    getAuditor: { text: 'Shows the seat of an auditor. Allowed are owner and administrators.', answer: auditor },
    updateAuditor: {
      text: 'Changes the end, the resources, the period or the right to export of an auditor, from their next request on. `things` replaces the list. Only the owner can call it, with a sign-in of the last 15 minutes.',
      records: ['auditor.changed'],
      problems: ['reauthentication_required', 'end_required', 'end_too_far', 'access_not_shareable'],
      body: { mayExport: true },
      answer: { ...auditor, mayExport: true, updatedAt: desk.tuesday },
    },
    endAuditor: {
      text: 'Ends the seat of an auditor and removes them from the team. Their sessions end at once. Only the owner can call it, with a sign-in of the last 15 minutes.',
      records: ['member.removed', 'member.joined'],
      problems: ['reauthentication_required', 'conflict', 'quota_exceeded'],
    },
    listGroups: {
      text: 'Lists the groups of the team, newest first unless `sort` says otherwise. All members of the team may list them.',
      answer: [group],
    },
    createGroup: {
      text: 'Creates a group without members. Owner and administrators create at most 1 000 groups. Share folders and other resources with a group by `groupId`: its members get the access of the share.',
      records: ['group.created'],
      problems: ['group_name_taken', 'group_limit'],
      body: { name: group.name, description: group.description },
      answer: { ...group, membersCount: 0 },
    },
    getGroup: { text: 'Shows the name, the description, the creator and the number of members of a group.', answer: group },
    updateGroup: {
      text: 'Changes the name or the description of a group. Omitted members stay unchanged.',
      records: ['group.updated'],
      problems: ['group_name_taken', 'group_managed_by_directory'],
      body: { name: 'Disputes' },
      answer: { ...group, name: 'Disputes', updatedAt: desk.tuesday },
    },
    deleteGroup: {
      text: 'Deletes a group and every share with it. Its members lose the access that only the group gave them. A group that open tasks, steps of unfinished workflows or templates name is 409 `group_in_use`. With `force=true` its unclaimed tasks have no assignee afterwards, and owner and administrators get a mail. Claimed tasks stay with their assignees.',
      records: ['group.deleted'],
      problems: ['group_in_use', 'group_managed_by_directory'],
    },
    getGroupUses: {
      text: 'Counts the shares and barriers of a group, and the open tasks, steps of unfinished workflows, templates and approval policies that name it. The last four prevent its deletion.',
      answer: { shares: 2, barriers: 0, tasks: 1, steps: 1, templates: 0, policies: 0 },
    },
    listGroupMembers: {
      text: 'Lists the members of a group in the order of their identifiers, with the person who added them and the time.',
      answer: [member],
    },
    addGroupMember: {
      text: 'Adds an active member of the team to a group. Guests and auditors are in no group. Adding a member again changes nothing.',
      records: ['group.member_added'],
      problems: ['member_not_found', 'group_managed_by_directory', 'guest_in_group'],
      body: { userId: desk.priya.id },
      answer: member,
    },
    removeGroupMember: {
      text: 'Removes a member from a group. The member loses the access that only the group gave them.',
      records: ['group.member_removed'],
      problems: ['group_managed_by_directory'],
    },
  },
};
