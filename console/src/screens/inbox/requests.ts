import { useQueryClient } from '@tanstack/react-query';
import { serviceAddress } from '../../address.ts';
import { api, ok, versioned } from '../../api.ts';
import { toast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useResult } from '../task/decide.ts';
import { inboxTexts } from './texts.ts';

type ItemKey = { parent: string; id: string };

/** The page on which the signed-in person signs. */
export const signingAddress = (id: string): string => `${serviceAddress}/sign/requests/${id}`;

type Requests = {
  confirmBooking: (of: ItemKey) => Promise<void>;
  declineBooking: (of: ItemKey, reason: string) => Promise<void>;
  approveRecord: (of: ItemKey) => Promise<void>;
  declineRecord: (of: ItemKey) => Promise<void>;
  retryDelivery: (of: ItemKey) => Promise<void>;
  remind: (id: string) => Promise<void>;
};

/** The actions on items other than tasks. Each says its result and calls `done`, or rejects if the service refuses. */
export function useRequests(done?: () => void): Requests {
  const words = useTexts(inboxTexts);
  const client = useQueryClient();
  const sayResult = useResult();
  const say = async (result: string) => {
    await sayResult(client, result);
    done?.();
  };
  const booking = ({ parent, id }: ItemKey) => ({ path: { id: parent, bookingId: id } });
  const record = async ({ parent, id }: ItemKey) => {
    const path = { typeId: parent, id };
    const { etag } = await versioned(api.GET('/api/v1/registries/{typeId}/records/{id}', { params: { path } }));
    return { path, header: { 'If-Match': etag } };
  };
  return {
    confirmBooking: async (of) => {
      await ok(api.POST('/api/v1/interfaces/{id}/bookings/{bookingId}/confirm', { params: booking(of) }));
      await say(words.confirmed);
    },
    declineBooking: async (of, reason) => {
      const body = reason === '' ? {} : { reason };
      await ok(api.POST('/api/v1/interfaces/{id}/bookings/{bookingId}/decline', { params: booking(of), body }));
      await say(words.declined);
    },
    approveRecord: async (of) => {
      await ok(api.POST('/api/v1/registries/{typeId}/records/{id}/approve', { params: await record(of) }));
      await say(words.approved);
    },
    declineRecord: async (of) => {
      await ok(api.POST('/api/v1/registries/{typeId}/records/{id}/decline', { params: await record(of) }));
      await say(words.discarded);
    },
    retryDelivery: async ({ parent, id }) => {
      const path = { id: parent, deliveryId: id };
      await ok(api.POST('/api/v1/webhooks/{id}/deliveries/{deliveryId}/retry', { params: { path } }));
      await say(words.retried);
    },
    remind: async (id) => {
      await ok(api.POST('/api/v1/signatures/{id}/remind', { params: { path: { id } } }));
      await client.invalidateQueries({ queryKey: ['inbox'] });
      toast(words.reminded);
    },
  };
}
