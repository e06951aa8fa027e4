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
  reason: 'A court requested all agreements with Acme Robotics.',
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

/** A task grant that stays after a share is revoked. */
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
      text: 'Lists the folders that the caller may see: their own and those shared with them or with the whole team. Owner, administrators and API clients see all folders of the team. The list is flat; `parentId` is the parent of each. Folders behind a barrier that excludes the caller are not listed. Without `limit` the response has up to 10 000 folders and 4 MiB, and `Link` points to the next page.',
      answer: [folder],
    },
    createFolder: {
      text: 'Creates a folder at the top of the caller’s tree, or in the folder `parentId`, which needs write access. The folder belongs to the owner of its tree, regardless of its creator. Names are unique among siblings regardless of case, and a tree has at most 64 levels. Unknown members are stored as `metadata`. Repeating the request returns 409 `name_taken`; with an `Idempotency-Key` it returns the same response.',
      records: ['folder.created'],
      problems: ['matter_not_found', 'matter_closed', 'name_taken', 'folder_too_deep', 'parent_not_found'],
      body: { name: 'NDAs 2026', description: 'Non-disclosure agreements with customers and suppliers', color: '#2f6f4e' },
      answer: { ...folder, documentsCount: 0, shareCount: 0, updatedAt: desk.monday },
    },
    getFolder: {
      text: 'Shows a folder with the number of folders and documents in it that the caller may see. A folder that the caller may not see returns 404.',
      answer: folder,
    },
    updateFolder: {
      text: 'Changes the given members: name, description, color, metadata and, with `parentId`, the location. It needs write access to the folder; a new name needs write access to its parent. `null` clears a member. The journal records the old and new value of each changed member. With `If-Match` exactly one of several concurrent changes succeeds.',
      records: ['folder.updated'],
      problems: ['matter_not_found', 'matter_closed', 'folder_cycle', 'legal_hold_active', 'barrier_change_in_progress', ...place],
      body: { description: 'Signed and unsigned agreements of the year' },
      answer: { ...folder, description: 'Signed and unsigned agreements of the year', updatedAt: desk.wednesday },
    },
    deleteFolder: {
      text: 'Moves a folder to the bin. `restoreFolder` restores it within 30 days; then it is deleted permanently with its content. A folder with content needs `recursive`, which moves everything below it too. A share of the folder itself is not enough: it needs a share of a folder above. A barrier below that excludes the caller prevents it, and so does a legal hold on it, above it or in it. Repeating the request returns 404.',
      records: ['folder.deleted'],
      problems: ['matter_closed', 'folder_barred', 'folder_not_empty', 'legal_hold_active', 'signature_pending'],
      answer: { success: true },
    },
    moveFolder: {
      text: 'Moves a folder with its content into another folder, or to the top of its tree. In another tree it belongs to that tree’s owner, so only its owner or an administrator may do that. Other callers may move it only if the move gives no user new access. Moving it to its current location changes nothing.',
      records: ['folder.moved'],
      problems: ['matter_not_found', 'matter_closed', 'folder_cycle', 'legal_hold_active', 'barrier_change_in_progress', ...place],
      body: { parentId: desk.archive },
      answer: { ...folder, parentId: desk.archive, updatedAt: desk.wednesday },
    },
    restoreFolder: {
      text: 'Restores a folder from the bin, with everything that was deleted with it. It returns to its old location, or to the top of its tree if that location is gone or too deep. Allowed are the owner of the folder and owner and administrators of the team. A folder from inside a barrier returns into that barrier. If the folder of the barrier is in the bin too, restore that folder first.',
      records: ['folder.restored'],
      problems: ['matter_closed', 'legal_hold_active', 'folder_barred', 'name_taken', 'folder_too_deep'],
      answer: folder,
    },
    listFolderShares: {
      text: 'Lists the shares of this folder itself, with users and with the whole team. `listFolderAccess` also lists shares of folders above it. Allowed are callers who may share the folder.',
      problems: ['forbidden'],
      answer: [share],
    },
    shareFolder: {
      text: 'Shares a folder and everything below it, to read or to write, with a member, a group or the whole team. Allowed are the owner of the folder and owner and administrators of the team. An API client may share only folders that it alone created and changed. A second share with the same principal replaces the first. An information barrier around the folder takes precedence over a share.',
      records: ['folder.shared'],
      problems: ['self_share_not_allowed', 'member_not_found', 'group_not_found'],
      body: { userId: desk.priya.id, access: 'write' },
      answer: share,
    },
    deleteFolderShare: {
      text: 'Ends a share of this folder from the next request on. Access that its principal gave to others by tasks stays until the tasks end: `dependentGrants` lists it. `cascade=true` ends it too, except for grants by the owner of a document. A repeated request gets 404.',
      records: ['folder.unshared'],
      answer: revoked,
    },
    listFolderAccess: {
      text: 'Lists the users with access to a folder, with the reason and start of each access. Allowed are the owner of the folder, and owner and administrators of the team. `privilegedAccess` lists reads and changes that only an administrator’s role allowed.',
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
      text: 'Ends a share of the folder by its identifier in `listFolderAccess`, as `deleteFolderShare` does. Ownership and roles have no identifier, and this operation cannot end them.',
      records: ['folder.unshared'],
      answer: { dependentGrants: [] },
    },
    getFolderBarrier: {
      text: 'Shows the members of the information barrier on this folder. A folder without its own barrier returns 404. While a job raises or removes the barrier, `status` and `progress` show its state.',
      answer: barrier,
    },
    putFolderBarrier: {
      text: 'Raises an information barrier (ethical wall) on a folder, or replaces its members. From then on, the folder and everything below it are invisible to all others. No role, share, task, search, export or API client gives access. Members are users and groups. A barrier gives no access, so a member needs a share as well. An owner who raises it is a member. Open tasks in it lose excluded assignees. The journal records actions in it with identifiers only; earlier entries stay as they are. Allowed are the owner of the folder and administrators. Sending the same members again changes nothing. With more documents than `BARRIER_JOB_DOCUMENTS` (20 000) the response is 202: access is closed at once, and a job continues (`status` is `raising`).',
      records: ['folder.barrier_set', 'folder.barrier_change_started', 'folder.barrier_change_completed'],
      problems: ['member_not_found', 'group_not_found', '422 group_managed_by_directory', 'barrier_change_in_progress'],
      body: { userIds: [desk.priya.id] },
      answer: barrier,
    },
    deleteFolderBarrier: {
      text: 'Lifts the barrier on a folder, so that shares and roles give access to it again. Allowed are the owner of the folder and administrators who are members. If a sibling folder now has its name, the response is 409: rename one first. With more documents than `BARRIER_JOB_DOCUMENTS` (20 000), a job removes the barrier, and everything stays hidden until then: `status` of `getFolderBarrier` is `removing`.',
      records: ['folder.barrier_lifted', 'folder.barrier_change_started', 'folder.barrier_change_completed'],
      problems: ['name_taken', 'barrier_change_in_progress'],
    },
    listBarriers: {
      text: 'Lists the information barriers of the team with the name and owner of each folder. Allowed are the owner and administrators of the team. Only this list shows them folders that exclude them, without any content. A barrier within another barrier is listed only for members of the outer one.',
      answer: [
        {
          id: desk.folder,
          type: 'folder',
          name: 'Acme Robotics',
          userId: desk.olivia.id,
          since: desk.tuesday,
          status: 'active',
          access: 'none',
        },
      ],
    },
    listEmergencyAccess: {
      text: 'Lists the requests for emergency access to a barrier, the newest first. Each has its reason, its approver and its expiry. Allowed are administrators and the owner of the folder.',
      problems: ['forbidden'],
      answer: [approved],
    },
    requestEmergencyAccess: {
      text: 'Requests read access to a barrier that excludes the caller, who must be an administrator. Its members and the other administrators get a mail with the reason. A second person must approve the request within 24 hours. Repeating the same reason returns the same request; another reason replaces it. The maximum is five requests in 24 hours.',
      records: ['folder.emergency_access_requested'],
      problems: ['emergency_access_decided', 'emergency_access_exhausted'],
      body: { reason: requested.reason },
      answer: requested,
    },
    approveEmergencyAccess: {
      text: 'Approves the request of another administrator and gives them read access to the barrier for 24 hours. They cannot change anything. Allowed are another administrator, or the owner of the folder who is a member. All members get a mail at once.',
      records: ['folder.emergency_access_granted'],
      problems: ['emergency_access_decided'],
      answer: approved,
    },
  },
  members: {
    parentId: 'The parent folder; `null`, or absent in a response, is the top of the tree',
    folderId: 'The folder of the resource',
    color: 'A color for user interfaces',
    'Folder.userId': 'The owner of the folder, whose tree it is in',
    'Folder.childrenCount': 'The number of folders in it',
    'Folder.documentsCount': 'The number of documents in it',
    'Folder.shareCount': 'The number of its own shares',
    'ShareFolderRequest.access': '`read`, or `write` as well',
    'FolderShare.userId': 'The user that it is shared with, if it is one user',
    'FolderBarrier.progress': 'The progress of the job that raises or removes the barrier. Absent without a job',
    'FolderBarrier.userIds': 'The persons who are members of the barrier',
    'FolderBarrier.groupIds': 'The groups whose members are inside the barrier',
    'PutFolderBarrierRequest.userIds': 'All persons who are members of the barrier. It has at least one',
    'PutFolderBarrierRequest.groupIds': 'All groups whose members are inside the barrier. None by default',
    'EmergencyAccess.barrierId': 'The folder of the barrier',
    'EmergencyAccess.status': '`requested`, `active` while the user may read, or `expired`',
    'EmergencyAccess.requestedAt': 'When the request was sent',
    'EmergencyAccess.approvedBy': 'The user who approved it',
    'EmergencyAccess.approvedAt': 'When it was approved',
    'EmergencyAccess.expiresAt': 'When the access ends',
    'AccessList.grants': 'The users with access, one entry for each reason',
    'AccessGrant.reason': '`owner`; `share`; `task`, while it is open; `record` of a completed task; `role`',
    'AccessGrant.taskId': 'The task that gives the access',
    'DependentGrant.taskId': 'The open task of the grant',
    'AccessGrant.grantedBy': 'The user who gave the access and is responsible for it',
    'privilegedAccess.type': 'The audit action, as in the journal',
    'privilegedAccess.version': 'The version that was read',
  },
};
