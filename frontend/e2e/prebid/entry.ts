/*
 * What a publisher builds from Prebid.js: its core, what asks for readers' consent, native ads, and
 * the adapter for servers.
 */
import pbjs from 'prebid.js';
import 'prebid.js/modules/consentManagementTcf';
import 'prebid.js/modules/nativeRendering';
import 'prebid.js/modules/prebidServerBidAdapter';

pbjs.processQueue();
