import { version } from '../../catalogue/version.ts';
import { metaKeys } from './versions.ts';

/** How this server names itself. */
export const serverInfo = { name: 'deckhand', title: 'Deckhand', version };

/** The `_meta` that every result of 2026-07-28 carries, in place of a handshake. */
export const serverMeta = { [metaKeys.serverInfo]: serverInfo };
