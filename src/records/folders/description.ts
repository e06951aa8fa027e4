import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const folder = {
  id: desk.folder,
  name: 'NDAs 2026',
  userId: desk.olivia.id,
  childrenCount: 0,
  documentsCount: 1,
  shareCount: 1,
  description: 'Non-disclosure agreements with customers and suppliers',
  color: '#2f6f4e',
  createdBy: desk.olivia.id,
  createdByType: 'user',
  createdAt: desk.monday,
  updatedAt: desk.tuesday,
};

const share = { id: desk.share, folderId: desk.folder, userId: desk.priya.id, access: 'write', createdAt: desk.monday };

const requested = {
  id: desk.emergencyAccess,
  barrierId: desk.folder,
  userId: desk.marcus.id,
  reason: 'A court has asked for all agreements with Acme Robotics.',
  status: 'requested',
  requestedAt: desk.tuesday,
};

const approved = {
  ...requested,
  status: 'active',
  approvedBy: desk.olivia.id,
  approvedAt: desk.wednesday,
  expiresAt: '2026-03-12T14:05:00.000Z',
};

const barrier = {
  folderId: desk.folder,
  userIds: [desk.olivia.id, desk.priya.id],
  groupIds: [],
  since: desk.tuesday,
  status: 'active',
};

const place = ['folder_barred', 'name_taken', 'folder_too_deep', 'parent_not_found'];

/** The grant of a task that stays when a share is revoked. */
const revoked = {
  dependentGrants: [
    {
      id: '019d2f4e-6a00-7c2b-9a54-000000000053',
      documentId: desk.document,
      userId: desk.marcus.id,
      taskId: desk.approvalTask,
      grantedBy: desk.priya.id,
      since: desk.tuesday,
    },
  ],
};

export const description: DomainText = {
  operations: {
    listFolders: {
      text: 'Lists the folders that the caller reaches: their own, those shared with them or with the whole team, and for owner, administrators and API clients all of the team. It is one flat list; `parentId` says where each lies. Folders behind a barrier that excludes the caller are not listed. Without `limit` the answer holds up to 10 000 folders and 4 MiB, and `Link` leads to the rest.',
      answer: [folder],
    },
    createFolder: {
      text: 'Makes a folder at the top of one’s own tree, or in the folder that `parentId` names, which takes writing there. A folder in somebody’s tree belongs to whose tree it is, whoever made it. Names are unique among siblings, in upper and lower case alike, and a tree nests 64 levels at most. Members that the operation does not know are kept as `metadata`. A repetition is 409 `name_taken`, or with an `Idempotency-Key` the same answer again.',
      records: ['folder.created'],
      problems: ['name_taken', 'folder_too_deep', 'parent_not_found'],
      body: { name: 'NDAs 2026', description: 'Non-disclosure agreements with customers and suppliers', color: '#2f6f4e' },
      answer: { ...folder, documentsCount: 0, shareCount: 0, updatedAt: desk.monday },
    },
    getFolder: {
      text: 'Shows a folder with how much lies in it, counting only what the caller may see. A folder that the caller may not see is 404.',
      answer: folder,
    },
    updateFolder: {
      text: 'Changes the members that are given: the name, the description, the color, what is kept as metadata, and with `parentId` the place. It takes writing in the folder, and for another name writing where it lies; `null` clears a member. The entry in the journal says each changed member from what to what. Of several changes made on one reading, `If-Match` lets exactly one pass.',
      records: ['folder.updated'],
      problems: ['folder_cycle', 'legal_hold_active', 'barrier_change_in_progress', ...place],
      body: { description: 'Signed and unsigned agreements of the year' },
      answer: { ...folder, description: 'Signed and unsigned agreements of the year', updatedAt: desk.wednesday },
    },
    deleteFolder: {
      text: 'Moves a folder to the bin, from where `restoreFolder` brings it back for 30 days; after that it is gone for good, with what lay in it. Only an empty folder is moved, unless `recursive` says that all below it goes along. A share of the folder itself does not allow it, only one of what is above. A barrier below that excludes the caller prevents it, and so does a legal hold on it, above it or in it. A repetition is 404.',
      records: ['folder.deleted'],
      problems: ['folder_barred', 'folder_not_empty', 'legal_hold_active', 'signature_pending'],
      answer: { success: true },
    },
    moveFolder: {
      text: 'Moves a folder with all that lies in it under another, or to the top of its tree. Into another tree it becomes the property of that tree’s owner, so only its owner or an administrator may do that. Everybody else moves it only to where nobody reaches it who did not reach it before: moving opens nothing. Moving it to where it lies changes nothing.',
      records: ['folder.moved'],
      problems: ['folder_cycle', 'legal_hold_active', 'barrier_change_in_progress', ...place],
      body: { parentId: desk.archive },
      answer: { ...folder, parentId: desk.archive, updatedAt: desk.wednesday },
    },
    restoreFolder: {
      text: 'Takes a folder out of the bin, with everything that went there with it: to where it lay, or to the top of its tree when that place is gone or lies too deep by now. It is for the owner of the folder and for owner and administrators of the team. What lay behind a barrier comes back behind it: if that place is in the bin too, restore it first.',
      records: ['folder.restored'],
      problems: ['legal_hold_active', 'folder_barred', 'name_taken', 'folder_too_deep'],
      answer: folder,
    },
    listFolderShares: {
      text: 'Lists the shares of this folder itself, with people and with the whole team; those of folders above it are not among them, `listFolderAccess` has all. It is for whoever may share the folder.',
      problems: ['forbidden'],
      answer: [share],
    },
    shareFolder: {
      text: 'Shares a folder and everything below it, to read or to write, with a member, a group or the whole team. It is for the owner of the folder and for owner and administrators of the team; an API client shares only what it alone made. A second share with the same principal replaces the first. An information barrier around the folder takes precedence over a share.',
      records: ['folder.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { userId: desk.priya.id, access: 'write' },
      answer: share,
    },
    deleteFolderShare: {
      text: 'Ends a share of this folder from the next request on. Access that its principal gave to others by tasks stays until the tasks end: `dependentGrants` names it. `cascade=true` ends it too, except for what the owner of a document gave. A repetition is 404.',
      records: ['folder.unshared'],
      answer: revoked,
    },
    listFolderAccess: {
      text: 'Tells the owner of the folder, and owner and administrators of the team, who may see it, for which reason and since when. `privilegedAccess` names what administrators did with it by their role alone, so that the owner sees it.',
      problems: ['forbidden'],
      answer: {
        grants: [
          { userId: desk.olivia.id, access: 'write', reason: 'owner', since: desk.monday },
          {
            id: desk.share,
            userId: desk.priya.id,
            access: 'write',
            reason: 'share',
            folderId: desk.folder,
            grantedBy: desk.olivia.id,
            since: desk.monday,
          },
          { userId: desk.marcus.id, access: 'write', reason: 'role' },
        ],
        privilegedAccess: [{ id: desk.entry, type: 'folder.updated', userId: desk.marcus.id, at: desk.tuesday }],
      },
    },
    revokeFolderGrant: {
      text: 'Ends what `listFolderAccess` lists with an identifier, which of a folder is a share. It does what `deleteFolderShare` does, under the address where the list of access is read. Ownership and roles have no identifier and are not ended here.',
      records: ['folder.unshared'],
      answer: { dependentGrants: [] },
    },
    getFolderBarrier: {
      text: 'Shows the members of the information barrier on this folder. Where the folder has no barrier of its own it is 404. While a job raises or removes it, `status` and `progress` say how far it is.',
      answer: barrier,
    },
    putFolderBarrier: {
      text: 'Raises an information barrier on a folder, which law firms call an ethical wall, or replaces its members. From then on, the folder and all below it do not exist for anybody else: no role, share, task, search, export or API client reaches them. Members are persons and groups. A barrier gives no access, so a member needs a share as well. An owner who raises it is a member. Open tasks behind it lose assignees outside. What happens behind it is recorded with identifiers only; earlier entries stay as they are. The owner of the folder or an administrator does this. Sending the same again changes nothing. With more documents than `BARRIER_JOB_DOCUMENTS` (20 000) the answer is 202: access is closed at once, and a job goes on (`status` is `raising`).',
      records: ['folder.barrier_set', 'folder.barrier_change_started', 'folder.barrier_change_completed'],
      problems: ['member_not_found', 'group_not_found', 'barrier_change_in_progress'],
      body: { userIds: [desk.priya.id] },
      answer: barrier,
    },
    deleteFolderBarrier: {
      text: 'Lifts the barrier on a folder: shares and roles give access to it again. The owner of the folder or an administrator who is a member does this. If a folder beside it has taken its name, it is 409: rename one first. With more documents than `BARRIER_JOB_DOCUMENTS` (20 000), a job removes the barrier, which hides everything until then: `getFolderBarrier` answers `removing` as `status`.',
      records: ['folder.barrier_lifted', 'folder.barrier_change_started', 'folder.barrier_change_completed'],
      problems: ['name_taken', 'barrier_change_in_progress'],
    },
    listBarriers: {
      text: 'Lists the information barriers of the team with the name and owner of each folder, for the owner and administrators of the team. It is the only place where they see a folder that excludes them; nothing behind it is shown. A barrier within another one is listed for members of that.',
      answer: [{ id: desk.folder, name: 'Acme Robotics', userId: desk.olivia.id, since: desk.tuesday, status: 'active', access: 'none' }],
    },
    listEmergencyAccess: {
      text: 'Lists the requests for emergency access to what is behind a barrier, the newest first, with the reason, who approved each and when it expires. It is for administrators and for the owner of the folder.',
      problems: ['forbidden'],
      answer: [approved],
    },
    requestEmergencyAccess: {
      text: 'Requests, as an administrator outside of a barrier, to read what is behind it. Its members and the other administrators get a mail with the reason. A second person must approve the request within 24 hours. The same reason again is the same request; another reason replaces the request before. The maximum is five requests in 24 hours.',
      records: ['folder.emergency_access_requested'],
      problems: ['emergency_access_decided', 'emergency_access_exhausted'],
      body: { reason: requested.reason },
      answer: requested,
    },
    approveEmergencyAccess: {
      text: 'Approves the request of another person, who may then read what is behind the barrier for 24 hours, and change nothing. Another administrator, or the owner of the folder who is a member, approves. All members get a mail at once.',
      records: ['folder.emergency_access_granted'],
      problems: ['emergency_access_decided'],
      answer: approved,
    },
  },
  members: {
    parentId: 'The folder that it lies in; `null`, or absent in an answer, is the top of the tree',
    folderId: 'The folder that it lies in, or that it is about',
    color: 'A color for whoever draws it',
    'Folder.userId': 'Whose tree it lies in: the owner of the folder',
    'Folder.childrenCount': 'How many folders lie in it',
    'Folder.documentsCount': 'How many documents lie in it',
    'Folder.shareCount': 'How many shares it has of its own',
    'ShareFolderRequest.access': '`read`, or `write` as well',
    'FolderShare.userId': 'With whom, where it is one person',
    'FolderBarrier.progress': 'How far the job is that raises or removes the barrier. Absent without a job',
    'FolderBarrier.userIds': 'The persons who are members of the barrier',
    'FolderBarrier.groupIds': 'The groups whose members are inside the barrier',
    'PutFolderBarrierRequest.userIds': 'All persons who are members of the barrier. It has at least one',
    'PutFolderBarrierRequest.groupIds': 'All groups whose members are inside the barrier. None by default',
    'EmergencyAccess.barrierId': 'The folder that the barrier is on',
    'EmergencyAccess.status': '`requested`, `active` while the person may read, or `expired`',
    'EmergencyAccess.requestedAt': 'When the request was sent',
    'EmergencyAccess.approvedBy': 'Who approved it',
    'EmergencyAccess.approvedAt': 'When it was approved',
    'EmergencyAccess.expiresAt': 'When the access ends',
    'AccessList.grants': 'Who may see it, one for each reason',
    'AccessGrant.reason': 'Why: `owner`; `share`; `task`, while it is open; `record` of a task that they have done; `role`',
    'AccessGrant.taskId': 'The task that it comes from',
    'DependentGrant.taskId': 'The open task of the grant',
    'AccessGrant.grantedBy': 'Who gave it, and answers for it',
    'privilegedAccess.type': 'What was done, as the journal says it',
    'privilegedAccess.version': 'Which version was read',
  },
};
