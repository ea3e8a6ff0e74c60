/* What a publisher builds from Prebid.js: its core, and the adapter for servers. */
import pbjs from 'prebid.js';
import 'prebid.js/modules/prebidServerBidAdapter';

pbjs.processQueue();
