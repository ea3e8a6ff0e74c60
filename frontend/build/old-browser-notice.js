// biome-ignore-all lint: this runs in browsers that know nothing newer
/* global TEXTS */
(function () {
  var known = Object.hasOwn && window.CSS && CSS.supports && CSS.supports('translate', '0');
  var place = document.querySelector('.late');
  if (known || !place) return;
  var wanted = [].concat(navigator.languages || navigator.language || []).concat('en');
  for (var i = 0; i < wanted.length; i++) {
    var code = String(wanted[i]).toLowerCase().replace(/_/g, '-');
    // Traditional characters are written in Taiwan, Hong Kong and Macao.
    if (/^zh-(hant|tw|hk|mo)/.test(code)) code = 'zh-hant';
    var text = TEXTS[code] || TEXTS[code.split('-')[0]];
    if (!text) continue;
    place.lang = code;
    place.textContent = text;
    place.className = 'late now';
    return;
  }
})();
