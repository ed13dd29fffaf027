// Draws the live-bytes charts, and turns the heat maps into tabs. Without this script the page keeps all its text and
// tables; with it, everything that a mouse can do the keyboard can do too.
'use strict';

(() => {
  const figures = JSON.parse(document.getElementById('figures').textContent);
  const charts = new Map();  // element -> chart, for those drawn so far
  const hidden = new Set();  // indices of variants that the reader switched off
  let printing = false;

  // Series colours, told apart by every kind of colour vision as far as eight can be; from the ninth on the same with
  // other dashes. The baseline is ink and thick, the A/A control grey.
  const hues = {
    light: ['#0072b2', '#d55e00', '#009e73', '#b0509a', '#9a7d0a', '#4aa3df', '#7048c8', '#8c564b'],
    dark: ['#5cb3f0', '#ff9248', '#3ccfa0', '#e58fcf', '#e0c341', '#9bd0ff', '#b39bff', '#d0988b'],
  };
  const dashes = ['solid', 'dashed', 'dotted', [8, 3, 2, 3]];

  const darkQuery = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => darkQuery.matches && !printing;
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const ink = () => (printing ? '#000' : css('--ink'));
  const muted = () => (printing ? '#444' : css('--muted'));
  const rule = () => (printing ? '#bbb' : css('--rule'));
  const paper = () => (printing ? '#fff' : css('--paper'));

  function styleOf(index) {
    const variant = figures.variants[index];
    if (index === 0) return {color: ink(), width: 2.5, type: 'solid'};
    if (variant.control) return {color: muted(), width: 1.5, type: 'dashed'};
    const palette = hues[isDark() ? 'dark' : 'light'];
    const n = index - 1;
    return {color: palette[n % palette.length], width: 2, type: dashes[Math.floor(n / palette.length) % dashes.length]};
  }

  function bytes(value) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let scaled = value, unit = 0;
    while (Math.abs(scaled) >= 1023.5 && unit < units.length - 1) { scaled /= 1024; unit++; }
    const digits = unit === 0 || Math.abs(scaled) >= 99.95 ? 0 : Math.abs(scaled) >= 9.995 ? 1 : 2;
    return `${Number(scaled.toFixed(digits))} ${units[unit]}`;
  }
  // A step between ticks that is round in the unit it will be written in, for four to eight ticks.
  function binaryStep(highest) {
    let unit = 1;
    while (highest / unit >= 1024) unit *= 1024;
    for (const step of [.125, .25, .5, 1, 2, 4, 5, 10, 20, 25, 50, 100, 200]) {
      if (highest / (step * unit) <= 7) return Math.max(1, step * unit);
    }
    return 200 * unit;
  }
  const grouped = (value) => value.toLocaleString('en-US');
  const escaped = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

  // One chart's options. A curve that several variants share is drawn once, under the first one that is shown.
  function optionsOf(row, width) {
    const shown = [];
    for (const curve of row.curves) {
      const owners = curve.variants.filter((v) => !hidden.has(v));
      if (owners.length) shown.push({curve, owners});
    }
    const longest = Math.max(1, ...shown.map(({curve}) => curve.call[curve.call.length - 1] || 0));
    const direct = shown.length <= 8;  // few enough to be named at their ends
    const nameOf = (owners) => owners.map((v) => figures.variants[v].name).join(' = ');
    const shortName = (owners) => figures.variants[owners[0]].name + (owners.length > 1 ? ` +${owners.length - 1}` : '');
    const series = shown.map(({curve, owners}) => ({
      type: 'line',
      name: nameOf(owners),
      step: 'end',
      showSymbol: false,
      sampling: false,
      data: curve.call.map((call, i) => [call, curve.bytes[i]]),
      lineStyle: styleOf(owners[0]),
      itemStyle: {color: styleOf(owners[0]).color},
      emphasis: {focus: 'series'},
      z: owners[0] === 0 ? 5 : 3,
      endLabel: direct ? {
        show: true, formatter: () => shortName(owners), color: styleOf(owners[0]).color, fontSize: 11,
        width: 190, overflow: 'truncate', textBorderColor: paper(), textBorderWidth: 3,
      } : undefined,
      // Curves that end near the right edge have their names in a column there, one below the other.
      labelLayout: direct ? {
        moveOverlap: 'shiftY', ...(curve.call[curve.call.length - 1] > .7 * longest ? {x: width - 196} : {}),
      } : undefined,
    }));
    // Each curve's point of parting is a ring on it; the first of all is a line as well.
    const partings = row.partings.filter((p) => !hidden.has(p.variant));
    shown.forEach(({owners}, i) => {
      const own = partings.find((p) => owners.includes(p.variant));
      if (!own) return;
      series[i].markPoint = {
        silent: true, symbol: 'circle', symbolSize: 8, label: {show: false},
        itemStyle: {color: paper(), borderColor: styleOf(owners[0]).color, borderWidth: 2},
        data: [{coord: [own.call, own.bytes]}],
      };
    });
    if (series.length && partings.length) {
      const first = partings.reduce((a, b) => (b.call < a.call ? b : a));
      series[0].markLine = {
        silent: true, symbol: 'none', lineStyle: {color: muted(), type: 'dotted'},
        label: {formatter: `first parting, call ${grouped(first.call)}`, color: muted(), fontSize: 11, align: 'left',
          position: 'end', distance: 4},
        data: [{xAxis: first.call}],
      };
    }
    const highest = Math.max(1, ...shown.map(({curve}) => curve.bytes.reduce((a, b) => Math.max(a, b), 0)));
    const step = binaryStep(highest);
    return {
      animation: false,
      aria: {enabled: true, label: {description: `Live bytes after each allocator call in ${row.label}, ` +
          `one line for each of: ${shown.map(({owners}) => nameOf(owners)).join('; ')}. The table below has the figures.`}},
      textStyle: {fontFamily: getComputedStyle(document.body).fontFamily, color: ink()},
      grid: {left: 84, right: direct ? 205 : 24, top: 30, bottom: 46},
      toolbox: {
        right: 0, top: -6, itemSize: 13, iconStyle: {borderColor: muted()}, show: !printing,
        feature: {
          dataZoom: {yAxisIndex: 'none', title: {zoom: 'Zoom into calls', back: 'Zoom back'}},
          restore: {title: 'Whole run'},
          saveAsImage: {title: 'Save as SVG', type: 'svg', name: 'live-bytes'},
        },
      },
      tooltip: {
        trigger: 'axis', confine: true, backgroundColor: css('--raised'), borderColor: rule(), textStyle: {color: ink(), fontSize: 12},
        order: 'valueDesc',
        formatter: (points) => `call ${grouped(points[0].axisValue)}` + points.map((p) =>
          `<br>${p.marker}${escaped(p.seriesName)}&nbsp; <b>${bytes(p.value[1])}</b>`).join(''),
      },
      xAxis: {
        type: 'value', name: 'n-th allocator call', nameLocation: 'middle', nameGap: 28, min: 0, max: 'dataMax',
        axisLabel: {formatter: grouped, color: muted(), hideOverlap: true}, nameTextStyle: {color: muted()},
        axisLine: {lineStyle: {color: rule()}}, splitLine: {show: false},
      },
      yAxis: {
        type: 'value', name: 'live bytes', interval: step, max: Math.ceil(highest / step) * step,
        nameLocation: 'middle', nameGap: 62, nameTextStyle: {color: muted()},
        axisLabel: {formatter: bytes, color: muted()}, splitLine: {lineStyle: {color: rule(), opacity: .6}},
      },
      dataZoom: [{type: 'inside', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false}],
      series,
    };
  }

  function draw(element) {
    let chart = charts.get(element);
    if (!chart) {
      // SVG prints sharply and can be taken into a document.
      chart = echarts.init(element, null, {renderer: 'svg'});
      charts.set(element, chart);
    }
    chart.setOption(optionsOf(figures.rows[Number(element.dataset.row)], element.clientWidth), {notMerge: true});
  }
  const elements = [...document.querySelectorAll('.chart')];
  const redraw = () => { for (const element of charts.keys()) draw(element); };
  const drawAll = () => { for (const element of elements) draw(element); };

  // Charts are drawn when they come near, so that a report of many cells opens at once.
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      observer.unobserve(entry.target);
      draw(entry.target);
    }
  }, {rootMargin: '600px'});
  for (const element of elements) observer.observe(element);
  addEventListener('resize', () => { for (const chart of charts.values()) chart.resize(); redraw(); });
  darkQuery.addEventListener('change', () => { redraw(); drawLegend(); });
  addEventListener('beforeprint', () => { printing = true; for (const chart of charts.values()) chart.resize(); drawAll(); });
  addEventListener('afterprint', () => { printing = false; redraw(); for (const chart of charts.values()) chart.resize(); });

  // The legend: a button a variant, for all charts at once.
  function drawLegend() {
    for (const button of document.querySelectorAll('.legend button[data-variant]')) {
      const line = button.querySelector('line');
      const style = styleOf(Number(button.dataset.variant));
      line.setAttribute('stroke', style.color);
      line.setAttribute('stroke-width', style.width);
      const dash = {solid: '', dashed: '6 4', dotted: '2 3'}[style.type];
      line.setAttribute('stroke-dasharray', dash === undefined ? '8 3 2 3' : dash);
      button.setAttribute('aria-pressed', String(!hidden.has(Number(button.dataset.variant))));
    }
  }
  const legend = document.querySelector('.legend');
  if (legend) {
    legend.hidden = false;
    legend.addEventListener('click', (event) => {
      const button = event.target.closest('button');
      if (!button) return;
      if (button.dataset.variant === undefined) {
        hidden.clear();
      } else {
        const variant = Number(button.dataset.variant);
        if (!hidden.delete(variant)) hidden.add(variant);
      }
      drawLegend();
      redraw();
    });
    drawLegend();
  }

  // Heat maps as tabs, by the usual keys: arrows, Home, End.
  const panels = [...document.querySelectorAll('#map .panel')];
  if (panels.length > 1) {
    const tabs = document.createElement('div');
    tabs.className = 'tabs';
    tabs.setAttribute('role', 'tablist');
    tabs.setAttribute('aria-label', 'Metric of the map');
    const buttons = panels.map((panel, i) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = panel.dataset.title;
      button.id = `map-tab-${i}`;
      button.setAttribute('role', 'tab');
      button.setAttribute('aria-controls', panel.id);
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', button.id);
      panel.querySelector('h3').hidden = true;
      button.addEventListener('click', () => select(i));
      return button;
    });
    const select = (chosen) => panels.forEach((panel, i) => {
      panel.hidden = i !== chosen;
      buttons[i].setAttribute('aria-selected', String(i === chosen));
      buttons[i].tabIndex = i === chosen ? 0 : -1;
    });
    tabs.addEventListener('keydown', (event) => {
      const now = buttons.indexOf(document.activeElement);
      const next = {ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: buttons.length - 1}[event.key];
      if (next === undefined) return;
      event.preventDefault();
      const chosen = (next + buttons.length) % buttons.length;
      select(chosen);
      buttons[chosen].focus();
    });
    tabs.append(...buttons);
    panels[0].before(tabs);
    select(0);
  }
})();
