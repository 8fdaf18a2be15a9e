#!/usr/bin/env python3
"""Writes the tables of runtime/ops/quantiles.h: python3 cmake/quantiles.py normal | power"""
import sys
from statistics import NormalDist

normal = [round(NormalDist().inv_cdf(min(max(i / 1024, 1 / 8192), 1 - 1 / 8192)) * 2**20) for i in range(1025)]
power = [round(2 ** (i / 1024) * 2**30) for i in range(1025)]
print(*(normal if sys.argv[1:] == ["normal"] else power), sep=", ")
