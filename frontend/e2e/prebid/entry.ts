/* What a publisher builds from Prebid.js: its core, the adapter for servers, and native ads. */
import pbjs from 'prebid.js';
import 'prebid.js/modules/nativeRendering';
import 'prebid.js/modules/prebidServerBidAdapter';

pbjs.processQueue();
